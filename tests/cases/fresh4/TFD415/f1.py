import tensorflow as tf


def parse(line):
    label, text = tf.unstack(tf.strings.split(line, "\t", maxsplit=1), num=2)
    tokens = tf.strings.to_hash_bucket_fast(tf.strings.split(text), 8000)
    return tokens, tf.strings.to_number(label, tf.int64)


def test_data():
    lines = tf.data.TextLineDataset("intents_test.tsv")
    ds = lines.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.ragged_batch(40, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def accuracy(model):
    right, total = 0, 0
    for tokens, labels in test_data():
        logits = model(tokens.to_tensor(shape=[None, 50]), training=False)
        right += int(tf.reduce_sum(tf.cast(tf.argmax(logits, -1) == labels, tf.int32)))
        total += len(labels)
    return right / total


model = tf.keras.models.load_model("intents.keras")
print(f"test accuracy {accuracy(model):.4f}")
