"""DCN-v2 on Avazu/Criteo TFRecords, estimator-style input function with Keras."""
from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("train", "/data/avazu/train/part-*.tfrecord", "")
flags.DEFINE_string("valid", "/data/avazu/valid/part-*.tfrecord", "")
flags.DEFINE_integer("batch_size", 10000, "")
flags.DEFINE_integer("epochs", 2, "")

FIELDS = ["hour", "C1", "banner_pos", "site_id", "site_domain", "site_category", "app_id",
          "app_domain", "app_category", "device_model", "device_type", "device_conn_type",
          "C14", "C15", "C16", "C17", "C18", "C19", "C20", "C21"]
FEATURE_SPEC = {f: tf.io.FixedLenFeature([], tf.int64) for f in FIELDS}
FEATURE_SPEC["click"] = tf.io.FixedLenFeature([], tf.float32)


def _parse_fn(record):
    features = tf.io.parse_single_example(record, FEATURE_SPEC)
    label = features.pop("click")
    return features, label


def input_fn(pattern, batch_size, shuffle):
    files = tf.data.Dataset.list_files(pattern, shuffle=shuffle)
    dataset = files.interleave(
        tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=False)
    if shuffle:
        dataset = dataset.shuffle(200_000)
    dataset = dataset.map(_parse_fn, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.batch(batch_size)
    return dataset.prefetch(tf.data.AUTOTUNE)


class CrossLayer(tf.keras.layers.Layer):
    def build(self, shape):
        self.dense = tf.keras.layers.Dense(shape[0][-1])

    def call(self, inputs):
        x0, x = inputs
        return x0 * self.dense(x) + x


def dcn(dim=16, buckets=500_000, crosses=3):
    inputs = {f: tf.keras.Input((), dtype=tf.int64, name=f) for f in FIELDS}
    embs = []
    for f in FIELDS:
        h = tf.keras.layers.Hashing(buckets)(inputs[f])
        embs.append(tf.keras.layers.Embedding(buckets, dim)(h))
    x0 = x = tf.keras.layers.Concatenate()(embs)
    for _ in range(crosses):
        x = CrossLayer()([x0, x])
    d = x0
    for units in (512, 256):
        d = tf.keras.layers.Dense(units, activation="relu")(d)
    out = tf.keras.layers.Dense(1, activation="sigmoid")(tf.keras.layers.Concatenate()([x, d]))
    return tf.keras.Model(inputs, out)


def main(_):
    model = dcn()
    model.compile(tf.keras.optimizers.Adam(1e-3), "binary_crossentropy",
                  metrics=[tf.keras.metrics.AUC(name="auc")])
    model.fit(input_fn(FLAGS.train, FLAGS.batch_size, True),
              validation_data=input_fn(FLAGS.valid, FLAGS.batch_size, False),
              epochs=FLAGS.epochs)


if __name__ == "__main__":
    app.run(main)
