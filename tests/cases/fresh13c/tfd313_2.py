# %% [markdown]
# Chest X-ray triage: variable-sized PNGs, padded to 1024 x 1024

# %%
import pandas as pd
import tensorflow as tf

SIDE = 1024
frame = pd.read_csv("/kaggle/input/cxr/train.csv")
frame["file"] = "/kaggle/input/cxr/png/" + frame["image_id"] + ".png"
print(len(frame), "studies")

# %%
def read_png(path):
    return tf.cast(tf.io.decode_png(tf.io.read_file(path), channels=1), tf.float32)


def square(image):
    return tf.image.resize_with_crop_or_pad(image, SIDE, SIDE)


def sample(path, finding):
    image = square(read_png(path))
    return (image - 127.5) / 64.0, finding


# %%
train = frame.sample(frac=0.9, random_state=1)
valid = frame.drop(train.index)


def to_ds(df, training):
    ds = tf.data.Dataset.from_tensor_slices((df["file"].values, df["finding"].values.astype("float32")))
    if training:
        ds = ds.shuffle(len(df))
    ds = ds.map(sample, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(16).prefetch(tf.data.AUTOTUNE)


# %%
inp = tf.keras.Input((SIDE, SIDE, 1))
x = tf.keras.layers.Conv2D(3, 7, strides=4, padding="same", activation="relu")(inp)
x = tf.keras.applications.DenseNet121(include_top=False, weights=None, input_shape=(256, 256, 3), pooling="avg")(x)
model = tf.keras.Model(inp, tf.keras.layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC(name="auc")])

# %%
model.fit(to_ds(train, True), validation_data=to_ds(valid, False), epochs=12)
