import tensorflow as tf


class ImageInput:
    def __init__(self, cfg):
        self.cfg = cfg

    def read(self):
        return tf.data.Dataset.from_tensor_slices(tf.io.gfile.glob(self.cfg["pattern"]))

    def label(self, path):
        return path, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)

    def decode(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [299, 299])
        return image / 127.5 - 1.0, label

    def labelled(self, ds):
        return ds.map(self.label, num_parallel_calls=tf.data.AUTOTUNE)

    def decoded(self, ds):
        return ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)

    def shuffled(self, ds):
        return ds.shuffle(self.cfg["shuffle_buffer"])

    def batched(self, ds):
        return ds.batch(self.cfg["batch_size"], drop_remainder=True)

    def build(self):
        ds = self.read()
        for stage in (self.labelled, self.shuffled, self.decoded, self.batched):
            ds = stage(ds)
        return ds.prefetch(tf.data.AUTOTUNE)


CONFIG = {
    "pattern": "/data/places/train/*/*.jpg",
    "shuffle_buffer": 2_000_000,
    "batch_size": 64,
}

if __name__ == "__main__":
    model = tf.keras.applications.InceptionV3(weights=None, classes=365)
    model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(ImageInput(CONFIG).build(), epochs=30)
