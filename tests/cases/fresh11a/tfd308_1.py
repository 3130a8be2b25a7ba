import tensorflow as tf


class ImageInput:
    def __init__(self, cfg):
        self.cfg = cfg

    def read(self):
        return tf.data.Dataset.list_files(self.cfg["pattern"], seed=self.cfg["seed"])

    def decode(self, path):
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [299, 299])
        return image / 127.5 - 1.0, label

    def decoded(self, ds):
        return ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)

    def shuffled(self, ds):
        return ds.shuffle(self.cfg["shuffle_buffer"])

    def batched(self, ds):
        return ds.batch(self.cfg["batch_size"], drop_remainder=True)

    def build(self):
        ds = self.read()
        for stage in (self.decoded, self.shuffled, self.batched):
            ds = stage(ds)
        return ds.prefetch(tf.data.AUTOTUNE)


CONFIG = {
    "pattern": "/data/places/train/*/*.jpg",
    "seed": 5,
    "shuffle_buffer": 20000,
    "batch_size": 64,
}

if __name__ == "__main__":
    model = tf.keras.applications.InceptionV3(weights=None, classes=365)
    model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(ImageInput(CONFIG).build(), epochs=30)
