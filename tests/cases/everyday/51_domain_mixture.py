"""Pedestrian crops from two cameras, three of four from the day camera."""
import glob

import tensorflow as tf
from tensorflow import keras

HEIGHT, WIDTH = 128, 64
BATCH = 96
STEPS = 2_000


def crop_and_scale(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize_with_pad(image, HEIGHT, WIDTH)
    return keras.applications.mobilenet_v2.preprocess_input(image)


def positive(path):
    return crop_and_scale(path), 1


def negative(path):
    return crop_and_scale(path), 0


def camera(name):
    people = tf.data.Dataset.from_tensor_slices(glob.glob(f"data/cameras/{name}/people/*.png"))
    others = tf.data.Dataset.from_tensor_slices(glob.glob(f"data/cameras/{name}/others/*.png"))
    people = people.shuffle(5000).map(positive)
    others = others.shuffle(5000).map(negative)
    return tf.data.Dataset.sample_from_datasets([people.repeat(), others.repeat()], [0.5, 0.5])


train_ds = tf.data.Dataset.sample_from_datasets([camera("day"), camera("night")], weights=[0.75, 0.25])
train_ds = train_ds.batch(BATCH)

backbone = keras.applications.MobileNetV2(input_shape=(HEIGHT, WIDTH, 3), alpha=0.35, include_top=False, pooling="avg")
model = keras.Sequential([backbone, keras.layers.Dense(1)])
model.compile(
    optimizer=keras.optimizers.Adam(1e-4),
    loss=keras.losses.BinaryCrossentropy(from_logits=True),
    metrics=[keras.metrics.BinaryAccuracy(threshold=0.0)],
)
model.fit(train_ds, steps_per_epoch=STEPS, epochs=10, callbacks=[keras.callbacks.TensorBoard("runs/pedestrians")])

converter = tf.lite.TFLiteConverter.from_keras_model(model)
with open("pedestrians.tflite", "wb") as f:
    f.write(converter.convert())
