import dataclasses
import json

import tensorflow as tf


@dataclasses.dataclass
class TrainingConfig:
    index: str = "/data/satellite/index.json"
    num_eval: int = 5_000
    batch_size: int = 48
    epochs: int = 30


class Trainer:
    def __init__(self, cfg: TrainingConfig):
        self.cfg = cfg
        rows = json.load(open(cfg.index))
        self.examples = tf.data.Dataset.from_tensor_slices(
            ([r["tile"] for r in rows], [r["cover"] for r in rows])
        )
        self.size = len(rows)

    def load_tile(self, path, cover):
        tile = tf.io.decode_png(tf.io.read_file(path), channels=3)
        tile = tf.ensure_shape(tile, [128, 128, 3])
        return tf.cast(tile, tf.float32) / 255.0, cover

    def batches(self, ds):
        ds = ds.map(self.load_tile, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg.batch_size).prefetch(tf.data.AUTOTUNE)

    def train_data(self):
        return self.batches(self.examples.shuffle(self.size))

    def eval_data(self):
        return self.batches(self.examples.take(self.cfg.num_eval))

    def run(self):
        model = tf.keras.applications.ResNet50(
            weights=None, input_shape=(128, 128, 3), classes=10
        )
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        checkpoint = tf.keras.callbacks.ModelCheckpoint(
            "tiles.keras", monitor="val_accuracy", save_best_only=True
        )
        model.fit(
            self.train_data(),
            validation_data=self.eval_data(),
            epochs=self.cfg.epochs,
            callbacks=[checkpoint],
        )


if __name__ == "__main__":
    Trainer(TrainingConfig()).run()
