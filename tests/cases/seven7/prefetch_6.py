"""BERT-style MLM pretraining on Wikipedia+Books, MirroredStrategy, custom loop."""
import os

import tensorflow as tf
from absl import app, flags, logging

FLAGS = flags.FLAGS
flags.DEFINE_string("shards", "/data/wikibooks/seq512-*.tfrecord", "")
flags.DEFINE_integer("global_batch", 256, "")
flags.DEFINE_integer("train_steps", 1_000_000, "")
flags.DEFINE_integer("steps_per_loop", 100, "")
flags.DEFINE_string("workdir", "/ckpt/mlm", "")

SEQ = 512
VOCAB = 30522
PRED = 76


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "input_ids": tf.io.FixedLenFeature([SEQ], tf.int64),
        "masked_pos": tf.io.FixedLenFeature([PRED], tf.int64),
        "masked_ids": tf.io.FixedLenFeature([PRED], tf.int64),
    })
    return {k: tf.cast(v, tf.int32) for k, v in ex.items()}


class MlmTask:
    def dataset_fn(self, ctx):
        per_replica = ctx.get_per_replica_batch_size(FLAGS.global_batch)
        files = tf.data.Dataset.list_files(FLAGS.shards, seed=17)
        files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
        ds = files.interleave(
            lambda f: tf.data.TFRecordDataset(f, buffer_size=8 << 20),
            cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.repeat().shuffle(100_000)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(per_replica, drop_remainder=True)

    def model(self):
        ids = tf.keras.Input([SEQ], dtype=tf.int32)
        x = tf.keras.layers.Embedding(VOCAB, 768)(ids)
        for _ in range(12):
            a = tf.keras.layers.MultiHeadAttention(12, 64)(x, x)
            x = tf.keras.layers.LayerNormalization()(x + a)
            f = tf.keras.layers.Dense(3072, activation="gelu")(x)
            x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.Dense(768)(f))
        return tf.keras.Model(ids, x)


def main(_):
    strategy = tf.distribute.MirroredStrategy()
    task = MlmTask()
    with strategy.scope():
        model = task.model()
        head = tf.keras.layers.Dense(VOCAB)
        head.build([None, None, 768])
        opt = tf.keras.optimizers.Adam(1e-4)

    def replica_step(batch):
        with tf.GradientTape() as tape:
            h = tf.gather(model(batch["input_ids"], training=True), batch["masked_pos"], batch_dims=1)
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(batch["masked_ids"], head(h))
            loss = tf.nn.compute_average_loss(tf.reduce_mean(ce, 1), global_batch_size=FLAGS.global_batch)
        tv = model.trainable_variables + head.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, tv), tv))
        return loss

    @tf.function
    def run_steps(iterator, n):
        loss = tf.constant(0.0)
        for _ in tf.range(n):
            per_replica = strategy.run(replica_step, args=(next(iterator),))
            loss = strategy.reduce("SUM", per_replica, axis=None)
        return loss

    iterator = iter(strategy.distribute_datasets_from_function(task.dataset_fn))
    ckpt = tf.train.Checkpoint(model=model, opt=opt)
    for step in range(0, FLAGS.train_steps, FLAGS.steps_per_loop):
        loss = run_steps(iterator, tf.constant(FLAGS.steps_per_loop))
        logging.info("step %d loss %.4f", step, float(loss))
        if step % 10_000 == 0:
            ckpt.save(os.path.join(FLAGS.workdir, "ckpt"))


if __name__ == "__main__":
    app.run(main)
