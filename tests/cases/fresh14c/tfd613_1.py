import argparse

import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow.keras import layers, mixed_precision

SIDE = 160


def parse_args():
    parser = argparse.ArgumentParser(description="Scene classifier")
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--fp16", action=argparse.BooleanOptionalAction, default=True)
    return parser.parse_args()


def resize(image, label):
    return tf.image.resize(image, [SIDE, SIDE]) / 255.0, label


def load(split, batch_size, training):
    ds = tfds.load("eurosat/rgb", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(5000)
    ds = ds.map(resize, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def build_model(num_classes):
    inputs = tf.keras.Input([SIDE, SIDE, 3])
    x = inputs
    for width in (64, 128, 256, 512):
        x = layers.Conv2D(width, 3, padding="same", use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU()(x)
        x = layers.MaxPool2D()(x)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dense(num_classes)(x)
    outputs = layers.Activation("softmax", dtype="float32")(x)
    return tf.keras.Model(inputs, outputs)


def main():
    args = parse_args()
    train = load("train[:90%]", args.batch_size, True)
    valid = load("train[90%:]", args.batch_size, False)

    model = build_model(10)
    if args.fp16:
        mixed_precision.set_global_policy("mixed_float16")
        print("compute dtype:", mixed_precision.global_policy().compute_dtype)

    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    model.fit(train, validation_data=valid, epochs=args.epochs)
    model.save("eurosat.keras")


if __name__ == "__main__":
    main()
