import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([50], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def read(files, training):
    ds = tf.data.Dataset.from_tensor_slices(files)
    if training:
        ds = ds.shuffle(len(files))
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(10_000)
    return ds.batch(256).map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


files = sorted(tf.io.gfile.glob("/data/genes/part-*.tfrecord"))
held_out = files[::10]
train_ds = read([f for f in files if f not in held_out], training=True)
test_ds = read(held_out, training=False)

model = tf.keras.Sequential([tf.keras.layers.Dense(128, "relu"), tf.keras.layers.Dense(20)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(train_ds, validation_data=test_ds, epochs=30)
