"""Masked LM pretraining with a short profile window."""
import tensorflow as tf
from absl import app, flags
from tensorflow.profiler import experimental as profiler

FLAGS = flags.FLAGS
flags.DEFINE_string("input", "/data/c4/tokens-*.tfrecord", "")
flags.DEFINE_integer("steps", 50_000, "")
flags.DEFINE_integer("batch", 256, "")
flags.DEFINE_string("profile_dir", "/tmp/mlm/profile", "")
SEQ, VOCAB, MASK = 128, 32_000, 4


def corrupt(records):
    ids = tf.io.parse_example(records, {"ids": tf.io.FixedLenFeature([SEQ], tf.int64)})["ids"]
    picked = tf.random.uniform(tf.shape(ids)) < 0.15
    return tf.where(picked, tf.cast(MASK, tf.int64), ids), ids, tf.cast(picked, tf.float32)


def pipeline():
    files = tf.data.Dataset.list_files(FLAGS.input, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).repeat().batch(FLAGS.batch, drop_remainder=True)
    return ds.map(corrupt, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def encoder(dim=256):
    ids = tf.keras.Input((SEQ,), dtype="int64")
    x = tf.keras.layers.Embedding(VOCAB, dim)(ids)
    for _ in range(4):
        x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.MultiHeadAttention(4, 64)(x, x))
        h = tf.keras.layers.Dense(4 * dim, activation="gelu")(x)
        x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.Dense(dim)(h))
    return tf.keras.Model(ids, tf.keras.layers.Dense(VOCAB)(x))


def main(_):
    model, opt = encoder(), tf.keras.optimizers.AdamW(1e-4)

    @tf.function
    def update(noisy, ids, weight):
        with tf.GradientTape() as tape:
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(ids, model(noisy, training=True))
            loss = tf.reduce_sum(ce * weight) / tf.maximum(tf.reduce_sum(weight), 1.0)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    it = iter(pipeline())
    batch = next(it)
    for step in range(FLAGS.steps):
        if step == 500:
            profiler.start(FLAGS.profile_dir)
        with profiler.Trace("mlm_step", step_num=step, _r=1):
            loss = update(*batch)
        if step == 520:
            profiler.stop()
        if step % 1000 == 0:
            print(step, float(loss))
        batch = next(it)


if __name__ == "__main__":
    app.run(main)
