"""Ad conversion model; the model's inputs are declared from the same lists as the record spec."""
import tensorflow as tf

NUMERIC = ["price", "age_days", "ctr_7d"]
CATEGORICAL = {"country": 250, "device": 40, "campaign": 100_000}


def record_spec():
    spec = {n: tf.io.FixedLenFeature([], tf.float32, 0.0) for n in NUMERIC}
    spec.update({n: tf.io.FixedLenFeature([], tf.int64, 0) for n in CATEGORICAL})
    spec["converted"] = tf.io.FixedLenFeature([], tf.int64)
    spec["weight"] = tf.io.FixedLenFeature([], tf.float32, 1.0)
    return spec


def to_xyw(serialized):
    features = tf.io.parse_example(serialized, record_spec())
    label = features.pop("converted")
    weight = features.pop("weight")
    return features, label, weight


def conversions(pattern, training, batch=8192):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=not training)
    if training:
        ds = ds.shuffle(200_000)
    return ds.batch(batch).map(to_xyw, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def build():
    inputs, parts = {}, []
    for name in NUMERIC:
        inputs[name] = tf.keras.Input((1,), name=name)
        parts.append(inputs[name])
    for name, size in CATEGORICAL.items():
        inputs[name] = tf.keras.Input((1,), name=name, dtype="int64")
        parts.append(tf.keras.layers.Flatten()(tf.keras.layers.Embedding(size, 16)(inputs[name])))
    x = tf.keras.layers.Concatenate()(parts)
    for width in (256, 64):
        x = tf.keras.layers.Dense(width, activation="relu")(x)
    out = tf.keras.layers.Dense(1, activation="sigmoid")(x)
    model = tf.keras.Model(inputs, out)
    model.compile("adam", "binary_crossentropy", weighted_metrics=[tf.keras.metrics.AUC()])
    return model


if __name__ == "__main__":
    build().fit(conversions("/ads/train/*.tfrecord", True), validation_data=conversions("/ads/eval/*.tfrecord", False),
                epochs=3)
