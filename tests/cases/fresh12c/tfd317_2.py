"""Machine translation training that resumes in the middle of an epoch."""
import tensorflow as tf

SRC, TGT = 64, 64
BATCH = 256


class Resumable:
    """Gives back a dataset positioned at the step of the last checkpoint."""

    def __init__(self, pattern):
        self.pattern = pattern

    def _decode(self, batch_of_records):
        ex = tf.io.parse_example(batch_of_records, {
            "src": tf.io.FixedLenFeature([SRC], tf.int64),
            "tgt": tf.io.FixedLenFeature([TGT + 1], tf.int64),
        })
        tgt = ex["tgt"]
        return {"src": ex["src"], "tgt": tgt[:, :-1]}, tgt[:, 1:]

    def at(self, step):
        files = tf.data.Dataset.list_files(self.pattern, seed=99)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(100_000, seed=7).repeat().batch(BATCH, drop_remainder=True)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        if step > 0:
            ds = ds.skip(step)
        return ds.prefetch(tf.data.AUTOTUNE)


def seq2seq(vocab=32_000, width=512):
    src = tf.keras.Input((SRC,), dtype="int64", name="src")
    tgt = tf.keras.Input((TGT,), dtype="int64", name="tgt")
    emb = tf.keras.layers.Embedding(vocab, width)
    enc, state = tf.keras.layers.GRU(width, return_sequences=True, return_state=True)(emb(src))
    dec = tf.keras.layers.GRU(width, return_sequences=True)(emb(tgt), initial_state=state)
    ctx = tf.keras.layers.Attention()([dec, enc])
    return tf.keras.Model([src, tgt], tf.keras.layers.Dense(vocab)(dec + ctx))


model = seq2seq()
opt = tf.keras.optimizers.Adam(2e-4)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
global_step = tf.Variable(0, dtype=tf.int64)
ckpt = tf.train.CheckpointManager(
    tf.train.Checkpoint(model=model, opt=opt, step=global_step), "/ckpt/mt", max_to_keep=3)
ckpt.restore_or_initialize()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    global_step.assign_add(1)
    return loss


first = int(global_step)
for i, (x, y) in enumerate(Resumable("/data/wmt/train-*").at(first).take(300_000 - first), first):
    loss = train_step(x, y)
    if i % 2000 == 0:
        ckpt.save(i)
        tf.print("step", i, "loss", loss)
