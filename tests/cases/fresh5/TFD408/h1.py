import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([300], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = sorted(tf.io.gfile.glob("/data/products/test-*.tfrecord"))
test = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
test = test.batch(256)
test = test.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
test = test.prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("/models/products.keras")
print(model.evaluate(test, return_dict=True))
scores = model.predict(test.map(lambda x, y: x, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE))
print(scores.argmax(-1)[:10])
