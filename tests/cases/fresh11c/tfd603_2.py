import json

import tensorflow as tf


class JsonLog(tf.keras.callbacks.Callback):
    def __init__(self, path):
        super().__init__()
        self.path = path
        self.file = None
        self.step = 0

    def on_train_begin(self, logs=None):
        self.file = open(self.path, "a")

    def on_train_batch_end(self, batch, logs=None):
        self.step += 1
        row = {"step": self.step, **{k: float(v) for k, v in logs.items()}}
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()

    def on_train_end(self, logs=None):
        self.file.close()


def dataset(split):
    ds = tf.keras.utils.image_dataset_from_directory(
        f"/data/food/{split}", image_size=(160, 160), batch_size=64,
        shuffle=split == "train")
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.applications.EfficientNetB0(
        weights=None, classes=101, input_shape=(160, 160, 3))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(dataset("train"), validation_data=dataset("val"), epochs=12,
              callbacks=[JsonLog("/tmp/train.jsonl")])


if __name__ == "__main__":
    main()
