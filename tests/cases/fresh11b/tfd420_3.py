from functools import partial

import tensorflow as tf

DECODERS = {
    "jpeg": partial(tf.io.decode_jpeg, channels=3),
    "any": partial(tf.io.decode_image, channels=3, expand_animations=False),
}


class ImageFolder:
    def __init__(self, pattern, classes, fmt="any", size=224):
        self.pattern = pattern
        self.decode = DECODERS[fmt]
        self.size = size
        self.lookup = tf.keras.layers.StringLookup(vocabulary=classes, num_oov_indices=0)

    def load(self, path):
        image = self.decode(tf.io.read_file(path))
        image = tf.image.resize(image, (self.size, self.size))
        return image / 255.0, self.lookup(tf.strings.split(path, "/")[-2])

    def dataset(self, batch_size):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = files.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    train = ImageFolder("/data/products/*/*", ["shoe", "shirt", "bag"]).dataset(64)
    model = tf.keras.applications.MobileNetV3Small(weights=None, classes=3, include_preprocessing=False)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=10)


if __name__ == "__main__":
    main()
