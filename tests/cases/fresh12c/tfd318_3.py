"""Income model on census records: inputs are created from the feature spec."""
import tensorflow as tf

NUMERIC = ("age", "hours", "capital_gain")
CATEGORICAL = {"occupation": 16, "education": 18, "state": 52}
LABEL, WEIGHT = "income", "sample_weight"


def feature_spec():
    spec = {k: tf.io.FixedLenFeature([], tf.float32) for k in NUMERIC}
    spec.update({k: tf.io.FixedLenFeature([], tf.int64) for k in CATEGORICAL})
    spec[LABEL] = tf.io.FixedLenFeature([], tf.int64)
    spec[WEIGHT] = tf.io.FixedLenFeature([], tf.float32, default_value=1.0)
    return spec


def unpack(rows):
    parsed = tf.io.parse_example(rows, feature_spec())
    label = parsed.pop(LABEL)
    weight = parsed.pop(WEIGHT)
    return parsed, label, weight


def dataset(pattern, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(100_000)
    ds = ds.batch(2048, drop_remainder=training)
    return ds.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def model_from_spec():
    inputs, parts = {}, []
    for name in NUMERIC:
        inputs[name] = tf.keras.Input((), name=name)
        parts.append(tf.keras.layers.Reshape((1,))(inputs[name]))
    for name, size in CATEGORICAL.items():
        inputs[name] = tf.keras.Input((), name=name, dtype="int64")
        parts.append(tf.keras.layers.Embedding(size, 8)(inputs[name]))
    h = tf.keras.layers.Concatenate()(parts)
    h = tf.keras.layers.Dense(128, activation="relu")(h)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(h))


model = model_from_spec()
model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
model.fit(dataset("/data/census/train-*", True), validation_data=dataset("/data/census/eval-*", False),
          epochs=10)
