import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([40], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return ex["x"], ex["y"]


def single(split):
    ds = tf.data.TFRecordDataset(f"/data/kws/{split}.tfrecord")
    if split == "train":
        ds = ds.shuffle(10_000)
    ds = ds.batch(256).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.Dense(128, activation="relu"), tf.keras.layers.Dense(35)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(single("train"), validation_data=single("val"), epochs=30)
