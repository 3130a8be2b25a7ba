import tensorflow as tf

from files import evaluation_files, training_files


def parse(record):
    example = tf.io.parse_single_example(record, {
        "x": tf.io.FixedLenFeature([32], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.int64),
    })
    return example["x"], example["y"]


def read(files, training):
    ds = tf.data.Dataset.from_tensor_slices(files)
    if training:
        ds = ds.shuffle(64)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(10_000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((32,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(6, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(read(training_files(), True), epochs=10)
print(model.evaluate(read(evaluation_files(), False)))
