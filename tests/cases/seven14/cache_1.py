"""Furniture classifier using a small builder."""
import tensorflow as tf


class ImagePipeline:
    def __init__(self, pattern, size):
        self._ds = tf.data.Dataset.list_files(pattern, shuffle=False)
        self._size = size
        self._classes = sorted({p.split("/")[-2] for p in tf.io.gfile.glob(pattern)})

    def cached(self):
        self._ds = self._ds.cache()
        return self

    def decoded(self):
        table = tf.constant(self._classes)

        def load(path):
            label = tf.argmax(tf.strings.split(path, "/")[-2] == table)
            img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
            img = tf.image.resize(img, [self._size, self._size], "lanczos3", antialias=True)
            return img, label
        self._ds = self._ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def shuffled(self, n):
        self._ds = self._ds.shuffle(n)
        return self

    def batches(self, n):
        return self._ds.batch(n).prefetch(tf.data.AUTOTUNE)

    @property
    def classes(self):
        return self._classes


def main():
    pipe = ImagePipeline("/data/furniture/*/*.jpg", 192)
    train = pipe.cached().decoded().shuffled(2000).batches(64)
    model = tf.keras.Sequential([
        tf.keras.layers.RandomFlip("horizontal"),
        tf.keras.layers.RandomRotation(0.1),
        tf.keras.applications.MobileNetV3Small(include_top=False, input_shape=(192, 192, 3), pooling="avg"),
        tf.keras.layers.Dense(len(pipe.classes)),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=50)


if __name__ == "__main__":
    main()
