import numpy as np
import tensorflow as tf
from sklearn.metrics import roc_auc_score

AUTOTUNE = tf.data.AUTOTUNE


def auc_np(y_true, y_pred):
    if len(np.unique(y_true)) < 2:
        return np.float32(0.5)
    return np.float32(roc_auc_score(y_true, y_pred))


def auc(y_true, y_pred):
    return tf.numpy_function(auc_np, [y_true, y_pred], tf.float32)


def read_scan(path, label):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, [320, 320]) / 255.0, label


def pipeline(paths, labels, training):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    return ds.map(read_scan, num_parallel_calls=AUTOTUNE).batch(32).prefetch(AUTOTUNE)


def evaluate(model, ds):
    truth, scores = [], []
    for x, y in ds:
        truth.append(y)
        scores.append(model(x, training=False)[:, 0])
    return float(auc(tf.concat(truth, 0), tf.concat(scores, 0)))


if __name__ == "__main__":
    index = np.load("index.npz")
    train = pipeline(index["train_paths"], index["train_labels"], True)
    valid = pipeline(index["valid_paths"], index["valid_labels"], False)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(train, epochs=20)
    print("AUC", evaluate(model, valid))
