"""Translation fine-tune with the profiler around a few hundred steps."""
import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("pattern", "/data/wmt/train-*.tfrecord", "Pre-tokenised pairs.")
flags.DEFINE_string("logdir", "/logs/wmt", "TensorBoard folder.")
flags.DEFINE_integer("steps", 50_000, "Steps.")
flags.DEFINE_bool("profile", True, "Record a profile of steps 100-150.")
FLAGS = flags.FLAGS

SPEC = {k: tf.io.FixedLenFeature([128], tf.int64) for k in ("src", "tgt")}


def pairs():
    files = tf.data.Dataset.list_files(FLAGS.pattern).repeat()
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).batch(128, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build():
    src, tgt = tf.keras.Input((128,), dtype="int64"), tf.keras.Input((127,), dtype="int64")
    emb = tf.keras.layers.Embedding(32_000, 512)
    enc, dec = emb(src), emb(tgt)
    for _ in range(4):
        enc = enc + tf.keras.layers.MultiHeadAttention(8, 64)(enc, enc)
        enc = enc + tf.keras.layers.Dense(512, "relu")(enc)
        dec = dec + tf.keras.layers.MultiHeadAttention(8, 64)(dec, dec, use_causal_mask=True)
        dec = dec + tf.keras.layers.MultiHeadAttention(8, 64)(dec, enc)
    return tf.keras.Model([src, tgt], tf.keras.layers.Dense(32_000)(dec))


def main(_):
    model, opt = build(), tf.keras.optimizers.Adam(3e-4)
    ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function(jit_compile=True)
    def train_step(batch):
        with tf.GradientTape() as tape:
            loss = ce(batch["tgt"][:, 1:], model([batch["src"], batch["tgt"][:, :-1]], training=True))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    it = iter(pairs())
    for step in range(FLAGS.steps):
        if FLAGS.profile and step == 100:
            tf.profiler.experimental.start(FLAGS.logdir)
        batch = next(it)
        with tf.profiler.experimental.Trace("step", step_num=step, _r=1):
            loss = train_step(batch)
        if FLAGS.profile and step == 150:
            tf.profiler.experimental.stop()
        if step % 1000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    app.run(main)
