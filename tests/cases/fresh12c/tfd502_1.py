"""Sentiment CNN; profile a few steps after warm-up."""
import tensorflow as tf

LOGDIR = "/logs/sentiment"
WARM, COUNT = 50, 8


def reviews(pattern, batch):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(50_000).repeat().batch(batch, drop_remainder=True)

    def parse(rows):
        ex = tf.io.parse_example(rows, {
            "tokens": tf.io.FixedLenFeature([400], tf.int64),
            "positive": tf.io.FixedLenFeature([1], tf.int64),
        })
        return ex["tokens"], ex["positive"]

    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((400,), dtype="int64"),
    tf.keras.layers.Embedding(40_000, 128),
    tf.keras.layers.Conv1D(256, 5, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(1),
])
loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam()


@tf.function(jit_compile=False)
def update(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss


batches = iter(reviews("/data/reviews/train-*", 256))
for _ in range(WARM):
    update(*next(batches))

tf.profiler.experimental.start(LOGDIR)
for _ in range(COUNT):
    with tf.profiler.experimental.Trace("train"):
        update(*next(batches))
tf.profiler.experimental.stop()

for n in range(20_000):
    loss = update(*next(batches))
    if n % 1000 == 0:
        tf.print(n, loss)
