"""Base data module with hooks; used for the retina (DRIVE/EyePACS) project."""
import csv

import tensorflow as tf


class DataModule:
    batch_size = 16

    def __init__(self, table):
        with open(table) as f:
            rows = list(csv.DictReader(f))
        rows.sort(key=lambda r: int(r["grade"]))
        self.paths = [r["path"] for r in rows]
        self.grades = [int(r["grade"]) for r in rows]

    def source(self):
        return tf.data.Dataset.from_tensor_slices((self.paths, self.grades))

    def load(self, path, grade):
        img = tf.io.decode_png(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img, (512, 512)) / 255.0
        return img, grade

    def collate(self, ds):
        return ds.batch(self.batch_size)

    def finish(self, ds):
        return ds.prefetch(tf.data.AUTOTUNE)

    def dataset(self):
        ds = self.source()
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        ds = self.collate(ds)
        return self.finish(ds)


class TrainModule(DataModule):
    def finish(self, ds):
        ds = ds.shuffle(128)
        return super().finish(ds)


class ValModule(DataModule):
    batch_size = 32


def main():
    train = TrainModule("/data/eyepacs/train.csv").dataset()
    val = ValModule("/data/eyepacs/val.csv").dataset()
    base = tf.keras.applications.EfficientNetB3(
        include_top=False, pooling="avg", input_shape=(512, 512, 3))
    logits = tf.keras.layers.Dense(5)(base.output)
    model = tf.keras.Model(base.input, logits)
    model.compile("adam",
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(train, validation_data=val, epochs=15)


if __name__ == "__main__":
    main()
