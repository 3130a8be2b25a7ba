import argparse

import tensorflow as tf

DECODERS = {
    "jpeg": tf.io.decode_jpeg,
    "png": tf.io.decode_png,
    "any": tf.io.decode_image,
}


class ImageFolder:
    def __init__(self, pattern, classes, fmt="any", size=224):
        self.pattern = pattern
        self.decode = DECODERS[fmt]
        self.size = size
        self.lookup = tf.keras.layers.StringLookup(vocabulary=classes, num_oov_indices=0)

    def load(self, path):
        image = self.decode(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (self.size, self.size))
        label = tf.strings.split(path, "/")[-2]
        return image / 255.0, self.lookup(label)

    def dataset(self, batch_size):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = files.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--pattern", default="/data/products/*/*")
    p.add_argument("--classes", nargs="+", default=["shoe", "shirt", "bag"])
    args = p.parse_args()
    train = ImageFolder(args.pattern, args.classes).dataset(64)
    model = tf.keras.applications.MobileNetV3Small(weights=None, classes=len(args.classes), include_preprocessing=False)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=10)


if __name__ == "__main__":
    main()
