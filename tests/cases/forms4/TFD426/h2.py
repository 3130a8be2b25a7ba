import tensorflow as tf
import tensorflow_datasets as tfds


def tagged(index, example, size=64):
    image, label = example
    image = tf.image.resize(image, (size, size)) / 255.0
    return tf.strings.as_string(index), image, label


def load(split):
    ds = tfds.load("stanford_dogs", split=split, as_supervised=True)
    ds = ds.enumerate()
    ds = ds.map(tagged, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(32).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.models.load_model("dogs.keras")
    wrong = []
    for names, images, labels in load("test"):
        answers = tf.argmax(model(images, training=False), axis=-1)
        wrong.extend(names[answers != labels].numpy())
    print(len(wrong), wrong[:20])


if __name__ == "__main__":
    main()
