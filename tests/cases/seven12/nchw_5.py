from dataclasses import dataclass

import tensorflow as tf
from tensorflow.keras import layers


@dataclass
class Spec:
    kind: str
    width: int = 0
    layout: str = "channels_first"


ARCH = [Spec("conv", 64), Spec("pool"), Spec("conv", 128), Spec("pool"),
        Spec("conv", 256), Spec("gap")]


def make(spec):
    match spec.kind:
        case "conv":
            return layers.Conv2D(spec.width, 3, activation="relu", data_format=spec.layout)
        case "pool":
            return layers.AveragePooling2D(data_format=spec.layout)
        case "gap":
            return layers.GlobalAveragePooling2D(data_format=spec.layout)
    raise ValueError(spec.kind)


def build(arch, shape=(160, 160, 3), classes=120):
    stack = [layers.Input(shape), layers.Rescaling(1 / 127.5, offset=-1)]
    stack.append(layers.Permute((3, 1, 2)))
    stack.extend(make(s) for s in arch)
    stack.append(layers.Dense(classes, activation="softmax", dtype="float32"))
    return tf.keras.Sequential(stack)


def dogs(subset):
    ds = tf.keras.utils.image_dataset_from_directory(
        "/data/stanford_dogs", validation_split=0.1, subset=subset, seed=7,
        image_size=(160, 160), batch_size=128)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model = build(ARCH)
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(dogs("training"), validation_data=dogs("validation"), epochs=25,
              callbacks=[tf.keras.callbacks.EarlyStopping(patience=3)])


if __name__ == "__main__":
    main()
