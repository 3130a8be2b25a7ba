# Cassava leaf disease - EfficientNet baseline
import os

import pandas as pd
import tensorflow as tf

BASE = "/kaggle/input/cassava-leaf-disease-classification"
IMG_SIZE = 380
BATCH_SIZE = 16
EPOCHS = 12
AUTOTUNE = tf.data.AUTOTUNE

df = pd.read_csv(os.path.join(BASE, "train.csv")).sample(frac=1.0, random_state=42)
df["path"] = BASE + "/train_images/" + df["image_id"]
n_val = int(0.15 * len(df))
df_val, df_train = df[:n_val], df[n_val:]


def load_image(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, [IMG_SIZE, IMG_SIZE])
    return img, label


def flip(img, label):
    return tf.image.random_flip_left_right(img), label


train_ds = tf.data.Dataset.from_tensor_slices((df_train["path"].values, df_train["label"].values))
train_ds = train_ds.shuffle(len(df_train))
train_ds = train_ds.map(load_image)
train_ds = train_ds.map(flip, num_parallel_calls=AUTOTUNE)
train_ds = train_ds.batch(BATCH_SIZE).prefetch(AUTOTUNE)

val_ds = tf.data.Dataset.from_tensor_slices((df_val["path"].values, df_val["label"].values))
val_ds = val_ds.map(load_image, num_parallel_calls=AUTOTUNE).batch(BATCH_SIZE).prefetch(AUTOTUNE)

base = tf.keras.applications.EfficientNetB4(include_top=False, input_shape=(IMG_SIZE, IMG_SIZE, 3), pooling="avg")
model = tf.keras.Sequential([base, tf.keras.layers.Dropout(0.4), tf.keras.layers.Dense(5, activation="softmax")])
model.compile(tf.keras.optimizers.Adam(1e-4), "sparse_categorical_crossentropy", ["accuracy"])
model.fit(train_ds, validation_data=val_ds, epochs=EPOCHS)
