"""Ad conversions: fixed-length features, 180 million examples."""
from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("pattern", "/data/ads/part-*.tfrecord", "input shards")
flags.DEFINE_integer("batch_size", 4096, "examples per step")
flags.DEFINE_integer("shuffle", 400_000, "shuffle buffer")


def feature_spec():
    spec = {f"num_{i}": tf.io.FixedLenFeature([], tf.float32) for i in range(13)}
    spec.update({f"cat_{i}": tf.io.FixedLenFeature([], tf.int64) for i in range(26)})
    spec["converted"] = tf.io.FixedLenFeature([], tf.float32)
    return spec


def make_parser(spec, target):
    def parser(serialized):
        features = tf.io.parse_single_example(serialized, spec)
        label = features.pop(target)
        return features, label
    return parser


def training_data():
    files = tf.data.Dataset.list_files(FLAGS.pattern, shuffle=True)
    return (
        files.interleave(tf.data.TFRecordDataset, cycle_length=24,
                         num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        .shuffle(FLAGS.shuffle)
        .map(make_parser(feature_spec(), "converted"),
             num_parallel_calls=tf.data.AUTOTUNE)
        .batch(FLAGS.batch_size, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


def build():
    inputs = {n: tf.keras.Input((), name=n, dtype="int64" if n.startswith("cat") else "float32")
              for n in feature_spec() if n != "converted"}
    parts = []
    for name, tensor in inputs.items():
        if name.startswith("cat"):
            parts.append(tf.keras.layers.Embedding(200_000, 16)(tensor))
        else:
            parts.append(tf.keras.layers.Reshape((1,))(tensor))
    x = tf.keras.layers.Dense(256, activation="relu")(tf.keras.layers.Concatenate()(parts))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(x))


def main(_):
    model = build()
    model.compile("adagrad", "binary_crossentropy")
    model.fit(training_data(), epochs=1)


if __name__ == "__main__":
    app.run(main)
