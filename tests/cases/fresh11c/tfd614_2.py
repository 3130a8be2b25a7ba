import random

import numpy as np
import tensorflow as tf

CONFIG = {
    "seed": 42,
    "runtime": {"inter_op": 1, "intra_op": 1, "memory_growth": True},
    "data": {"root": "/data/food", "size": 224, "batch": 64},
}


def set_up(config):
    random.seed(config["seed"])
    np.random.seed(config["seed"])
    tf.random.set_seed(config["seed"])
    runtime = config["runtime"]
    tf.config.threading.set_inter_op_parallelism_threads(runtime["inter_op"])
    tf.config.threading.set_intra_op_parallelism_threads(runtime["intra_op"])
    if runtime["memory_growth"]:
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)


def load(split, root, size, batch):
    ds = tf.keras.utils.image_dataset_from_directory(
        f"{root}/{split}", image_size=(size, size), batch_size=batch,
        shuffle=split == "train")
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    set_up(CONFIG)
    train, val = (load(s, **CONFIG["data"]) for s in ("train", "val"))
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=101)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=val, epochs=20)


if __name__ == "__main__":
    main()
