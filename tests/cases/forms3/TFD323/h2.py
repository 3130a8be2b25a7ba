import tensorflow as tf

SPEC = {
    "ids": tf.io.FixedLenFeature([256], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def test_set(pattern):
    files = sorted(tf.io.gfile.glob(pattern))
    ds = tf.data.TFRecordDataset(files).batch(128)
    ds = ds.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.models.load_model("sentiment.keras")
right = total = 0
for item in test_set("reviews-test-*.rec"):
    logits = model(item["ids"], training=False)
    guess = tf.cast(logits[:, 0] > 0, tf.int64)
    right += int(tf.reduce_sum(tf.cast(guess == item["label"], tf.int32)))
    total += int(tf.shape(guess)[0])
print("accuracy", right / total)
