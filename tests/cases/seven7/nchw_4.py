"""Kaggle RSNA mammography: ConvNet on 1024x512 crops, mixed precision on 2x T4."""
# %% config
import pandas as pd
import tensorflow as tf
from tensorflow.keras import layers, mixed_precision

mixed_precision.set_global_policy("mixed_float16")
strategy = tf.distribute.MirroredStrategy()

HP = dict(
    layout="NCHW",
    height=1024, width=512,
    batch=8 * strategy.num_replicas_in_sync,
    epochs=12,
    lr=2e-4,
)
ROOT = "/kaggle/input/rsna-bc-png"


# %% layout helpers
def arrange(img, layout):
    """HWC -> whatever the network wants."""
    order = ["HWC".index(c) for c in layout.replace("N", "")]
    return tf.transpose(img, order)


def keras_format(layout):
    return {"NCHW": "channels_first", "NHWC": "channels_last"}[layout]


# %% data
def read(path, cancer):
    img = tf.io.decode_png(tf.io.read_file(path), channels=1, dtype=tf.uint16)
    img = tf.image.resize(tf.cast(img, tf.float32) / 65535.0, [HP["height"], HP["width"]])
    img = tf.image.random_flip_up_down(img)
    return arrange(img, HP["layout"]), cancer


def dataset(frame):
    paths = ROOT + "/" + frame.patient_id.astype(str) + "_" + frame.image_id.astype(str) + ".png"
    ds = tf.data.Dataset.from_tensor_slices((paths.values, frame.cancer.values))
    ds = ds.shuffle(len(frame)).map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(HP["batch"], drop_remainder=True).prefetch(tf.data.AUTOTUNE)


# %% model
def stage(x, f, fmt):
    axis = 1 if fmt == "channels_first" else -1
    for _ in range(2):
        x = layers.Conv2D(f, 3, padding="same", use_bias=False, data_format=fmt)(x)
        x = layers.ReLU()(layers.BatchNormalization(axis=axis)(x))
    return layers.MaxPool2D(data_format=fmt)(x)


def network():
    fmt = keras_format(HP["layout"])
    hw = [HP["height"], HP["width"]]
    inp = x = tf.keras.Input([1] + hw if fmt == "channels_first" else hw + [1])
    for f in (16, 32, 64, 128, 256):
        x = stage(x, f, fmt)
    x = layers.GlobalMaxPooling2D(data_format=fmt)(x)
    return tf.keras.Model(inp, layers.Dense(1, activation="sigmoid", dtype="float32")(x))


# %% train
frame = pd.read_csv(f"{ROOT}/train.csv")
with strategy.scope():
    model = network()
    model.compile(tf.keras.optimizers.Adam(HP["lr"]), "binary_crossentropy",
                  metrics=[tf.keras.metrics.AUC()])
model.fit(dataset(frame), epochs=HP["epochs"], class_weight={0: 1.0, 1: 20.0})
model.save("rsna.keras")
