"""Kaggle: Cassava / plant disease classification, EfficientNet-B3 (notebook export)."""
import os
import numpy as np
import pandas as pd
import tensorflow as tf
from sklearn.model_selection import StratifiedKFold

BASE = "../input/plant-disease-full"
IMG = 300
BS = 32
EPOCHS = 20
SEED = 42

tf.random.set_seed(SEED)
np.random.seed(SEED)

df = pd.read_csv(os.path.join(BASE, "train.csv"))
df["path"] = df["image_id"].apply(lambda x: os.path.join(BASE, "train_images", x))
print(len(df), "images")

skf = StratifiedKFold(n_splits=5, shuffle=True, random_state=SEED)
df["fold"] = -1
for fold, (_, val_idx) in enumerate(skf.split(df, df["label"])):
    df.loc[val_idx, "fold"] = fold


def decode_image(path, label):
    img = tf.io.read_file(path)
    img = tf.image.decode_jpeg(img, channels=3)
    img = tf.image.resize(img, (IMG, IMG))
    return img, label


def get_dataset(frame, training):
    ds = tf.data.Dataset.from_tensor_slices((frame["path"].values, frame["label"].values))
    if training:
        ds = ds.shuffle(len(frame), seed=SEED)
    ds = ds.map(decode_image)
    ds = ds.batch(BS)
    ds = ds.prefetch(tf.data.experimental.AUTOTUNE)
    return ds


def build_model():
    base = tf.keras.applications.EfficientNetB3(
        include_top=False, weights="imagenet", input_shape=(IMG, IMG, 3), pooling="avg")
    x = tf.keras.layers.Dropout(0.4)(base.output)
    out = tf.keras.layers.Dense(5, activation="softmax")(x)
    model = tf.keras.Model(base.input, out)
    model.compile(tf.keras.optimizers.Adam(3e-4), "sparse_categorical_crossentropy", ["accuracy"])
    return model


oof = []
for fold in range(5):
    train_ds = get_dataset(df[df.fold != fold], True)
    valid_ds = get_dataset(df[df.fold == fold], False)
    model = build_model()
    hist = model.fit(
        train_ds, validation_data=valid_ds, epochs=EPOCHS,
        callbacks=[tf.keras.callbacks.EarlyStopping(patience=4, restore_best_weights=True)])
    oof.append(max(hist.history["val_accuracy"]))
    model.save(f"model_fold{fold}.h5")
print("CV", np.mean(oof))
