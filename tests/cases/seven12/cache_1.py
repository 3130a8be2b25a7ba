import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class PetTrainer:
    def __init__(self, root, batch_size=64):
        self.files = sorted(tf.io.gfile.glob(f"{root}/*/*.jpg"))
        self.names = sorted({f.split("/")[-2] for f in self.files})
        self.batch_size = batch_size

    def _source(self):
        labels = [self.names.index(f.split("/")[-2]) for f in self.files]
        ds = tf.data.Dataset.from_tensor_slices((self.files, labels))
        return ds.map(self._read, num_parallel_calls=AUTOTUNE)

    def _read(self, path, label):
        return tf.io.read_file(path), label

    def _decode(self, data, label):
        image = tf.io.decode_jpeg(data, channels=3)
        image = tf.image.resize(image, (224, 224), method="bicubic")
        return image / 255.0, label

    def _cached(self, ds):
        return ds.cache()

    def _decoded(self, ds):
        return ds.map(self._decode, num_parallel_calls=AUTOTUNE)

    def dataset(self):
        ds = self._cached(self._source())
        ds = ds.shuffle(len(self.files))
        ds = self._decoded(ds)
        return ds.batch(self.batch_size).prefetch(AUTOTUNE)

    def run(self):
        model = tf.keras.applications.MobileNetV2(
            weights=None, classes=len(self.names))
        model.compile("adam", "sparse_categorical_crossentropy")
        model.fit(self.dataset(), epochs=50)


if __name__ == "__main__":
    PetTrainer("/data/oxford_pets").run()
