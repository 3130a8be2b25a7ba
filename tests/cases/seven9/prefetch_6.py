"""BERT masked-LM pretraining on TPU, pre-tokenised C4 shards."""
from absl import app, flags
import tensorflow as tf

flags.DEFINE_string('tpu', '', 'TPU address')
flags.DEFINE_string('input_pattern', 'gs://corpus/c4/mlm-*.tfrecord', '')
flags.DEFINE_integer('global_batch', 4096, '')
flags.DEFINE_integer('seq_len', 512, '')
flags.DEFINE_integer('max_preds', 76, '')
flags.DEFINE_integer('steps', 125000, '')
FLAGS = flags.FLAGS


class PretrainData:
    """Builds a per-host pipeline for `distribute_datasets_from_function`."""

    prefetch_buffer = 0

    def __init__(self, pattern, seq_len, max_preds, global_batch):
        self._pattern = pattern
        self._global_batch = global_batch
        self._spec = {
            'input_ids': tf.io.FixedLenFeature([seq_len], tf.int64),
            'input_mask': tf.io.FixedLenFeature([seq_len], tf.int64),
            'masked_lm_positions': tf.io.FixedLenFeature([max_preds], tf.int64),
            'masked_lm_ids': tf.io.FixedLenFeature([max_preds], tf.int64),
        }

    def _decode(self, records):
        batch = tf.io.parse_example(records, self._spec)
        return {k: tf.cast(v, tf.int32) for k, v in batch.items()}

    def __call__(self, ctx):
        per_replica = ctx.get_per_replica_batch_size(self._global_batch)
        ds = tf.data.Dataset.list_files(self._pattern, shuffle=False)
        ds = ds.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
        ds = ds.shuffle(1024).repeat()
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=32,
                           num_parallel_calls=tf.data.AUTOTUNE,
                           deterministic=False)
        ds = ds.shuffle(10000).batch(per_replica, drop_remainder=True)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        if self.prefetch_buffer:
            ds = ds.prefetch(self.prefetch_buffer)
        return ds


def build_encoder(vocab=30522, width=768):
    ids = tf.keras.Input((FLAGS.seq_len,), dtype=tf.int32)
    x = tf.keras.layers.Embedding(vocab, width)(ids)
    for _ in range(12):
        a = tf.keras.layers.MultiHeadAttention(12, width // 12)(x, x)
        x = tf.keras.layers.LayerNormalization()(x + a)
        h = tf.keras.layers.Dense(width * 4, activation='gelu')(x)
        x = tf.keras.layers.LayerNormalization()(
            x + tf.keras.layers.Dense(width)(h))
    return tf.keras.Model(ids, tf.keras.layers.Dense(vocab)(x))


def main(_):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(FLAGS.tpu)
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)

    data = PretrainData(FLAGS.input_pattern, FLAGS.seq_len, FLAGS.max_preds,
                        FLAGS.global_batch)
    train = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        model = build_encoder()
        opt = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def step(batch):
        def replica_fn(b):
            with tf.GradientTape() as tape:
                logits = model(b['input_ids'], training=True)
                picked = tf.gather(logits, b['masked_lm_positions'], batch_dims=1)
                ce = tf.nn.sparse_softmax_cross_entropy_with_logits(
                    b['masked_lm_ids'], picked)
                loss = tf.reduce_sum(ce) / (FLAGS.global_batch * FLAGS.max_preds)
            grads = tape.gradient(loss, model.trainable_variables)
            opt.apply_gradients(zip(grads, model.trainable_variables))
            return loss
        return strategy.run(replica_fn, args=(batch,))

    for i in range(FLAGS.steps):
        loss = step(next(train))
        if i % 1000 == 0:
            print(i, strategy.reduce('SUM', loss, axis=None))


if __name__ == '__main__':
    app.run(main)
