import tensorflow as tf

from dataclasses import dataclass


@dataclass(frozen=True)
class LoaderConfig:
    root: str = "/data/places365"
    size: int = 224
    batch_size: int = 128
    workers: int | None = None


class PlacesData:
    def __init__(self, cfg: LoaderConfig):
        self.cfg = cfg

    def _load(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (self.cfg.size, self.cfg.size))
        return image / 255.0, label

    def dataset(self, index_file, training):
        rows = [r.split() for r in tf.io.gfile.GFile(index_file).read().splitlines()]
        paths = [f"{self.cfg.root}/{r[0]}" for r in rows]
        labels = [int(r[1]) for r in rows]
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        if training:
            ds = ds.shuffle(len(paths))
        ds = ds.map(self._load, num_parallel_calls=self.cfg.workers)
        return ds.batch(self.cfg.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    data = PlacesData(LoaderConfig())
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=365)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        data.dataset("/data/places365/train.txt", True),
        validation_data=data.dataset("/data/places365/val.txt", False),
        epochs=30,
    )


if __name__ == "__main__":
    main()
