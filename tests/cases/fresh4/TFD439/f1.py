import tensorflow as tf


def clean(text):
    return text.numpy().decode("utf-8", errors="ignore").strip().lower()


def normalized(line):
    text = tf.py_function(clean, [line], tf.string)
    return tf.ensure_shape(text, [])


lines = tf.data.TextLineDataset(["posts-0.txt", "posts-1.txt"])
lines = lines.shuffle(10_000).repeat()
lines = lines.map(normalized, num_parallel_calls=tf.data.AUTOTUNE)
batches = iter(lines.batch(64).prefetch(tf.data.AUTOTUNE))

tracked = {
    "step": tf.Variable(0, dtype=tf.int64),
    "batches": batches,
    "model": tf.keras.models.load_model("posts.keras"),
}
checkpoint = tf.train.Checkpoint(**tracked)

while tracked["step"] < 50_000:
    texts = next(batches)
    tracked["model"].train_on_batch(texts, texts)
    tracked["step"].assign_add(1)
    if int(tracked["step"]) % 2500 == 0:
        checkpoint.write("posts/ckpt")
