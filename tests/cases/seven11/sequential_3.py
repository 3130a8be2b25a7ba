"""BERT fine-tuning, custom loop under MirroredStrategy."""
import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("train_files", "/data/squad/train.tf_record-*", "")
flags.DEFINE_integer("batch", 96, "global batch")
flags.DEFINE_integer("max_len", 384, "")
flags.DEFINE_integer("map_threads", 1, "threads of the parse stage")
FLAGS = flags.FLAGS


def spec(max_len):
    ints = lambda n: tf.io.FixedLenFeature([n], tf.int64)
    return {
        "input_ids": ints(max_len),
        "input_mask": ints(max_len),
        "segment_ids": ints(max_len),
        "start_positions": ints(1),
        "end_positions": ints(1),
    }


def create_dataset(pattern, batch, max_len, ctx=None):
    features = spec(max_len)

    def decode(records):
        ex = tf.io.parse_example(records, features)
        return {k: tf.cast(v, tf.int32) for k, v in ex.items()}

    ds = tf.data.Dataset.list_files(pattern, shuffle=True)
    if ctx is not None and ctx.num_input_pipelines > 1:
        ds = ds.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(88_000).repeat()
    ds = ds.batch(batch, drop_remainder=True)
    ds = ds.map(decode, FLAGS.map_threads)
    return ds.prefetch(tf.data.AUTOTUNE)


def span_model(max_len, vocab=30522, dim=256):
    ids = tf.keras.Input((max_len,), dtype=tf.int32)
    x = tf.keras.layers.Embedding(vocab, dim)(ids)
    for _ in range(4):
        h = tf.keras.layers.MultiHeadAttention(4, dim // 4)(x, x)
        x = tf.keras.layers.LayerNormalization()(x + h)
        h = tf.keras.layers.Dense(dim)(tf.keras.layers.Dense(4 * dim, activation="gelu")(x))
        x = tf.keras.layers.LayerNormalization()(x + h)
    return tf.keras.Model(ids, tf.keras.layers.Dense(2)(x))


def main(_):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = span_model(FLAGS.max_len)
        opt = tf.keras.optimizers.Adam(3e-5)
    per_replica = FLAGS.batch // strategy.num_replicas_in_sync
    ds = strategy.distribute_datasets_from_function(
        lambda ctx: create_dataset(FLAGS.train_files, per_replica, FLAGS.max_len, ctx)
    )

    def replica_step(b):
        with tf.GradientTape() as tape:
            logits = model(b["input_ids"], training=True)
            loss = 0.0
            for i, key in enumerate(("start_positions", "end_positions")):
                ce = tf.nn.sparse_softmax_cross_entropy_with_logits(b[key][:, 0], logits[..., i])
                loss += tf.nn.compute_average_loss(ce, global_batch_size=FLAGS.batch)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    @tf.function
    def train(iterator, n):
        for _ in tf.range(n):
            strategy.run(replica_step, args=(next(iterator),))

    it = iter(ds)
    for _ in range(18):
        train(it, tf.constant(100))


if __name__ == "__main__":
    app.run(main)
