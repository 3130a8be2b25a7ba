"""Five-fold cross-validation of the leaf disease model."""
import gc
import logging

import numpy as np
import pandas as pd
import tensorflow as tf
from sklearn.model_selection import StratifiedKFold

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = logging.getLogger("kfold")

CFG = dict(folds=5, size=260, batch=32, epochs=8, lr=2e-4, seed=2022)
COLUMNS = ["healthy", "multiple_diseases", "rust", "scab"]


def decode_jpeg(path, target):
    bits = tf.io.read_file(path)
    image = tf.image.decode_jpeg(bits, channels=3)
    image = tf.cast(image, tf.float32) / 255.0
    image = tf.image.resize(image, (CFG["size"], CFG["size"]))
    return image, target


def dataset(paths, targets, shuffle=False):
    ds = tf.data.Dataset.from_tensor_slices((paths, targets))
    if shuffle:
        ds = ds.shuffle(1024)
    return ds.map(decode_jpeg).batch(CFG["batch"])


def get_model():
    size = CFG["size"]
    base = tf.keras.applications.EfficientNetV2B2(
        include_top=False, pooling="avg", include_preprocessing=False, input_shape=(size, size, 3)
    )
    output = tf.keras.layers.Dense(len(COLUMNS), activation="softmax")(base.output)
    model = tf.keras.Model(base.input, output)
    model.compile(
        optimizer=tf.keras.optimizers.Adam(CFG["lr"]),
        loss="categorical_crossentropy",
        metrics=["categorical_accuracy"],
    )
    return model


train = pd.read_csv("data/leaves/train.csv")
paths = ("data/leaves/images/" + train["image_id"] + ".jpg").values
targets = train[COLUMNS].values.astype(np.float32)
oof = np.zeros_like(targets)

splitter = StratifiedKFold(CFG["folds"], shuffle=True, random_state=CFG["seed"])
for fold, (train_idx, valid_idx) in enumerate(splitter.split(paths, targets.argmax(1))):
    tf.keras.backend.clear_session()
    gc.collect()
    model = get_model()
    valid_ds = dataset(paths[valid_idx], targets[valid_idx])
    checkpoint = tf.keras.callbacks.ModelCheckpoint(
        f"fold{fold}.h5", save_best_only=True, save_weights_only=True, monitor="val_loss"
    )
    model.fit(
        dataset(paths[train_idx], targets[train_idx], shuffle=True),
        validation_data=valid_ds,
        epochs=CFG["epochs"],
        callbacks=[checkpoint],
    )
    model.load_weights(f"fold{fold}.h5")
    oof[valid_idx] = model.predict(valid_ds)
    log.info("fold %d: %.4f", fold, np.mean(oof[valid_idx].argmax(1) == targets[valid_idx].argmax(1)))

log.info("all: %.4f", np.mean(oof.argmax(1) == targets.argmax(1)))
np.save("oof.npy", oof)
