import argparse

import keras

from sensors import sensor_batches


def parse_args():
    parser = argparse.ArgumentParser(description="activity recognition from wearable sensors")
    parser.add_argument("--root", default="/data/wearables")
    parser.add_argument("--batch-size", type=int, default=2048)
    parser.add_argument("--epochs", type=int, default=25)
    return parser.parse_args()


args = parse_args()
train = sensor_batches(f"{args.root}/train/*.csv", args.batch_size, training=True)
valid = sensor_batches(f"{args.root}/valid/*.csv", args.batch_size, training=False)

model = keras.Sequential([
    keras.Input((9,)),
    keras.layers.BatchNormalization(),
    keras.layers.Dense(256, activation="gelu"),
    keras.layers.Dense(128, activation="gelu"),
    keras.layers.Dense(6, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=valid, epochs=args.epochs)
