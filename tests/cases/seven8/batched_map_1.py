"""HIGGS (11M rows) MLP, numpy arrays memory mapped and fed through tf.data."""
import numpy as np
import tensorflow as tf

DATA = "/data/higgs"
BATCH_SIZE = 8192
EPOCHS = 30
AUTOTUNE = tf.data.AUTOTUNE

features = np.load(f"{DATA}/features_f16.npy", mmap_mode="r")  # (10_500_000, 28)
labels = np.load(f"{DATA}/labels_u8.npy", mmap_mode="r")
val_x = np.load(f"{DATA}/val_features.npy")
val_y = np.load(f"{DATA}/val_labels.npy")
stats = np.load(f"{DATA}/stats.npz")
MEAN = tf.constant(stats["mean"], tf.float32)
STD = tf.constant(stats["std"], tf.float32)

print("rows:", features.shape[0], "features:", features.shape[1])


def standardize(x, y):
    x = tf.cast(x, tf.float32)
    x = (x - MEAN) / STD
    return x, tf.cast(y, tf.float32)


with tf.device("/cpu:0"):
    x_all = tf.convert_to_tensor(np.asarray(features))
    y_all = tf.convert_to_tensor(np.asarray(labels))

train = tf.data.Dataset.from_tensor_slices((x_all, y_all))
train = train.shuffle(1_000_000)
train = train.map(standardize, num_parallel_calls=AUTOTUNE)
train = train.batch(BATCH_SIZE)
train = train.prefetch(AUTOTUNE)

valid = tf.data.Dataset.from_tensor_slices((val_x, val_y)).batch(BATCH_SIZE)
valid = valid.map(standardize, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)

model = tf.keras.Sequential()
model.add(tf.keras.layers.InputLayer((28,)))
for _ in range(5):
    model.add(tf.keras.layers.Dense(300, activation="relu"))
    model.add(tf.keras.layers.BatchNormalization())
model.add(tf.keras.layers.Dense(1, activation="sigmoid"))
model.compile(
    optimizer=tf.keras.optimizers.Adam(1e-3),
    loss="binary_crossentropy",
    metrics=[tf.keras.metrics.AUC(name="auc"), "accuracy"],
)
model.fit(
    train,
    validation_data=valid,
    epochs=EPOCHS,
    callbacks=[tf.keras.callbacks.EarlyStopping(monitor="val_auc", mode="max", patience=4)],
)
model.save("higgs_mlp.keras")
