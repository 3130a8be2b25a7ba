import tensorflow as tf

from decoding import decode_record

resizing = tf.keras.layers.Resizing(96, 96)


def to_example(record):
    image, label = decode_record(record)
    return resizing(image), label


shards = tf.io.gfile.glob("signs/*.tfrecord")
ds = tf.data.Dataset.from_tensor_slices(shards).shuffle(len(shards))
ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(2000)
ds = ds.map(to_example, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("signs.keras")
model.fit(ds, epochs=5)
