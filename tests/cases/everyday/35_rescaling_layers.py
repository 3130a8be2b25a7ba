"""Traffic sign classifier; resizing and rescaling stay in the pipeline, to keep the GPU free."""
import json
import pathlib

import tensorflow as tf
from tensorflow.keras import layers

ROOT = pathlib.Path("data/signs")
BATCH = 64

with (ROOT / "annotations.json").open() as f:
    annotations = json.load(f)

rescale = layers.Rescaling(1.0 / 127.5, offset=-1.0)


def load_crop(name, box, label):
    image = tf.io.decode_image(tf.io.read_file(str(ROOT / "images") + "/" + name), channels=3, expand_animations=False)
    image = tf.image.crop_to_bounding_box(image, box[0], box[1], box[2], box[3])
    image = tf.image.resize(image, [64, 64])
    return rescale(image), label


def make_split(split):
    entries = [entry for entry in annotations if entry["split"] == split]
    ds = tf.data.Dataset.from_tensor_slices(
        (
            [entry["image"] for entry in entries],
            [[entry[key] for key in ("top", "left", "height", "width")] for entry in entries],
            [entry["sign"] for entry in entries],
        )
    )
    if split == "train":
        ds = ds.shuffle(len(entries))
    return ds.map(load_crop).batch(BATCH)


num_classes = 1 + max(entry["sign"] for entry in annotations)
inputs = tf.keras.Input((64, 64, 3))
x = inputs
for filters in (32, 64, 128):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    x = layers.MaxPooling2D()(x)
x = layers.Flatten()(x)
x = layers.Dropout(0.5)(x)
model = tf.keras.Model(inputs, layers.Dense(num_classes)(x))
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])

model.fit(
    make_split("train"),
    validation_data=make_split("val"),
    epochs=40,
    callbacks=[tf.keras.callbacks.ModelCheckpoint("signs/best", monitor="val_accuracy", save_best_only=True)],
)
print("test:", model.evaluate(make_split("test"), return_dict=True))
