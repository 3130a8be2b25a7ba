"""Wide & deep CTR model. Records are parsed in blocks, then mixed one by one."""
import os

import tensorflow as tf

PARSE_BLOCK = 2048
ROW_PREFETCH = 1024
BATCH_SIZE = int(os.environ.get("CTR_BATCH", "4096"))

FEATURES = {f"i{k}": tf.io.FixedLenFeature([], tf.float32, 0.0) for k in range(1, 14)}
FEATURES.update({f"c{k}": tf.io.FixedLenFeature([], tf.string, "") for k in range(1, 27)})
FEATURES["clicked"] = tf.io.FixedLenFeature([], tf.float32)


def parse_block(raw):
    feats = tf.io.parse_example(raw, FEATURES)
    label = feats.pop("clicked")
    return feats, label


def rows(pattern, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(PARSE_BLOCK).map(parse_block, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.unbatch()
    # a thousand small rows, a few hundred kilobytes: evens out the bursts
    return ds.prefetch(ROW_PREFETCH)


def input_fn(pattern, training):
    ds = rows(pattern, training)
    if training:
        ds = ds.shuffle(200_000)
    ds = ds.batch(BATCH_SIZE, drop_remainder=training)
    return ds.prefetch(tf.data.AUTOTUNE)


def build_model():
    inputs, cols = {}, []
    for k in range(1, 14):
        inputs[f"i{k}"] = tf.keras.Input((1,), name=f"i{k}")
        cols.append(inputs[f"i{k}"])
    for k in range(1, 27):
        inp = tf.keras.Input((1,), dtype=tf.string, name=f"c{k}")
        idx = tf.keras.layers.Hashing(100_000)(inp)
        emb = tf.keras.layers.Embedding(100_000, 16)(idx)
        cols.append(tf.keras.layers.Flatten()(emb))
        inputs[f"c{k}"] = inp
    x = tf.keras.layers.Concatenate()(cols)
    for width in (512, 256, 128):
        x = tf.keras.layers.Dense(width, activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    model = build_model()
    model.compile("adagrad", "binary_crossentropy", metrics=["AUC"])
    model.fit(input_fn("/data/criteo/train-*", True),
              validation_data=input_fn("/data/criteo/valid-*", False), epochs=3)
