import tensorflow as tf

import runtime

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def main():
    model = tf.keras.Sequential([
        tf.keras.Input((100,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(40),
    ])
    print(runtime.configure(), "threads")
    files = tf.data.Dataset.list_files("/data/ads/*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).batch(512)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=3)


main()
