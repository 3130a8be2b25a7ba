"""Kaggle Histopathologic Cancer Detection (220k 96px tif->jpg patches)."""
import os

import pandas as pd
import tensorflow as tf
from sklearn.model_selection import StratifiedKFold

AUTO = tf.data.AUTOTUNE
ROOT = "/kaggle/input/histopathologic-cancer-detection"
HW = 96


class CFG:
    folds = 5
    batch = 512
    epochs = 60
    lr = 3e-4
    cache = True


def path_of(image_id):
    return tf.strings.join([ROOT, "/train_jpg/", image_id, ".jpg"])


def read_patch(image_id, label):
    raw = tf.io.read_file(path_of(image_id))
    img = tf.io.decode_jpeg(raw, channels=3, dct_method="INTEGER_ACCURATE")
    img = tf.image.resize(img, [HW, HW], antialias=True)
    return tf.cast(img, tf.uint8), tf.cast(label, tf.float32)


def flip(img, label):
    return tf.image.random_flip_up_down(tf.image.random_flip_left_right(img)), label


def get_dataset(frame, training):
    ds = tf.data.Dataset.from_tensor_slices((frame["id"].values, frame["label"].values))
    if CFG.cache:
        ds = ds.cache()
    if training:
        ds = ds.shuffle(len(frame))
    ds = ds.map(read_patch, num_parallel_calls=AUTO)
    if training:
        ds = ds.map(flip, num_parallel_calls=AUTO)
    ds = ds.batch(CFG.batch)
    return ds.prefetch(AUTO)


def get_model():
    inp = tf.keras.Input([HW, HW, 3], dtype=tf.uint8)
    x = tf.keras.layers.Rescaling(1 / 127.5, offset=-1)(inp)
    base = tf.keras.applications.DenseNet121(include_top=False, weights=None, pooling="avg",
                                             input_shape=(HW, HW, 3))
    x = tf.keras.layers.Dropout(0.3)(base(x))
    model = tf.keras.Model(inp, tf.keras.layers.Dense(1, activation="sigmoid")(x))
    model.compile(tf.keras.optimizers.Adam(CFG.lr), "binary_crossentropy",
                  metrics=[tf.keras.metrics.AUC()])
    return model


def main():
    df = pd.read_csv(os.path.join(ROOT, "train_labels.csv"))
    skf = StratifiedKFold(CFG.folds, shuffle=True, random_state=7)
    for fold, (trn, val) in enumerate(skf.split(df, df["label"])):
        tf.keras.backend.clear_session()
        model = get_model()
        model.fit(
            get_dataset(df.iloc[trn], True),
            validation_data=get_dataset(df.iloc[val], False),
            epochs=CFG.epochs,
            callbacks=[tf.keras.callbacks.ModelCheckpoint(f"fold{fold}.keras", save_best_only=True)],
            verbose=2,
        )


if __name__ == "__main__":
    main()
