import tensorflow as tf
import tensorflow_datasets as tfds

from augment import augment


def resize(image, label):
    return tf.cast(tf.image.resize(image, (256, 256)), tf.uint8), label


def main():
    raw = tfds.load("stanford_dogs", split="train", as_supervised=True, shuffle_files=True)
    ds = raw.map(resize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1024)
    ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
    model = tf.keras.applications.ResNet50V2(weights=None, classes=120, input_shape=(256, 256, 3))
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ds, epochs=30)


if __name__ == "__main__":
    main()
