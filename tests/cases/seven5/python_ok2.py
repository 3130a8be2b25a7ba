"""Readmission risk: tabular records, average precision of scikit-learn as a metric."""
import tensorflow as tf
import keras
from sklearn.metrics import average_precision_score

SPEC = {
    "visits": tf.io.FixedLenFeature([96], tf.float32),
    "codes": tf.io.FixedLenFeature([256], tf.float32),
    "readmitted": tf.io.FixedLenFeature([], tf.float32),
}


def average_precision(y_true, y_pred):
    def score(t, p):
        return average_precision_score(t.numpy().ravel(), p.numpy().ravel())

    return tf.ensure_shape(tf.py_function(score, (y_true, y_pred), tf.float32), ())


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    label = ex.pop("readmitted")
    return tf.concat([tf.math.log1p(ex["visits"]), ex["codes"]], axis=1), label


def records(pattern, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(
        tf.data.TFRecordDataset,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=not training,
    )
    if training:
        ds = ds.shuffle(100_000)
    ds = ds.batch(1024).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    model = keras.Sequential([
        keras.Input((352,)),
        keras.layers.Dense(512, activation="relu"),
        keras.layers.Dropout(0.4),
        keras.layers.Dense(128, activation="relu"),
        keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=[average_precision], jit_compile=False)
    model.fit(
        records("/data/claims/train-*.tfrecord", True),
        validation_data=records("/data/claims/valid-*.tfrecord", False),
        epochs=20,
    )


if __name__ == "__main__":
    main()
