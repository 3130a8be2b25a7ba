import tensorflow as tf


class BaseLoader:
    def __init__(self, root, batch_size):
        self.root = root
        self.batch_size = batch_size

    def finalize(self, ds):
        return ds.batch(self.batch_size)

    def load(self):
        ds = self.finalize(self.source())
        return ds.prefetch(tf.data.AUTOTUNE)


class FlowerLoader(BaseLoader):
    def source(self):
        files = tf.data.Dataset.list_files(f"{self.root}/*/*.jpg", shuffle=True)
        return files.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)

    def decode(self, path):
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, (224, 224)) / 255.0, label

    def finalize(self, ds):
        return ds.batch(self.batch_size, drop_remainder=True)


if __name__ == "__main__":
    model = tf.keras.applications.MobileNetV2(weights=None, classes=102)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(FlowerLoader("/data/flowers", 128).load(), epochs=20)
