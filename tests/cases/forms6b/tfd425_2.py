from dataclasses import dataclass

import keras
import tensorflow as tf
from keras.utils import image_dataset_from_directory


@dataclass(frozen=True)
class Hparams:
    root: str = "/data/food"
    image_size: int = 224
    batch_size: int = 48
    epochs: int = 12
    augment: bool = True


def configure(ds, hp, augment=None):
    if augment is not None:
        ds = ds.map(lambda x, y: (augment(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(hp.batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def load(hp, subset):
    return image_dataset_from_directory(
        hp.root,
        validation_split=0.1,
        subset=subset,
        seed=21,
        label_mode="int",
        image_size=(hp.image_size, hp.image_size),
    )


def main(hp=Hparams()):
    raw = {"train": load(hp, "training"), "val": load(hp, "validation")}
    num_classes = len(raw["train"].class_names)
    augment = None
    if hp.augment:
        augment = keras.Sequential([keras.layers.RandomFlip("horizontal"), keras.layers.RandomZoom(0.1)])

    train_ds = configure(raw["train"], hp, augment)
    val_ds = configure(raw["val"], hp)

    model = keras.Sequential([
        keras.Input((hp.image_size, hp.image_size, 3)),
        keras.layers.Rescaling(1.0 / 127.5, offset=-1),
        keras.applications.MobileNetV2(include_top=False, weights=None, pooling="avg"),
        keras.layers.Dense(num_classes, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train_ds, validation_data=val_ds, epochs=hp.epochs)


if __name__ == "__main__":
    main()
