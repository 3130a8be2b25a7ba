import tensorflow as tf
import tensorflow_datasets as tfds

generator = tf.random.Generator.from_seed(123)


def jitter(image, label):
    image = tf.image.resize(image, (96, 96)) / 255.0
    shift = generator.uniform([3], -0.1, 0.1)
    return tf.clip_by_value(image + shift, 0.0, 1.0), label


def pipeline(batch_size):
    ds = tfds.load("eurosat/rgb", split="train[:90%]", as_supervised=True)
    ds = ds.shuffle(5000, seed=123)
    ds = ds.map(jitter, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    tf.random.set_seed(123)
    model = tf.keras.Sequential([
        tf.keras.Input((96, 96, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(pipeline(64), epochs=10)


if __name__ == "__main__":
    main()
