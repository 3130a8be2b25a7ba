"""Plankton: 30,000 grey pictures that fit in memory at 96 pixels."""
import tensorflow as tf
import keras


class Plankton:
    def __init__(self, pattern, size=96, batch_size=128):
        self.paths = sorted(tf.io.gfile.glob(pattern))
        names = sorted({p.split("/")[-2] for p in self.paths})
        self.labels = [names.index(p.split("/")[-2]) for p in self.paths]
        self.size = size
        self.batch_size = batch_size

    def _decode(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=1)
        image = tf.image.resize_with_pad(image, self.size, self.size)
        return tf.cast(image, tf.uint8), label

    def _augment(self, image, label):
        image = tf.image.random_flip_left_right(image)
        image = tf.image.rot90(image, tf.random.uniform((), 0, 4, tf.int32))
        return image, label

    def build(self, training):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        if training:
            ds = ds.shuffle(len(self.paths))
            ds = ds.map(self._augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = keras.Sequential([
        keras.Input((96, 96, 1)),
        keras.layers.Rescaling(1 / 255),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Conv2D(128, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(121, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(
        Plankton("/data/plankton/train/*/*.jpg").build(training=True),
        validation_data=Plankton("/data/plankton/valid/*/*.jpg").build(training=False),
        epochs=80,
    )


if __name__ == "__main__":
    main()
