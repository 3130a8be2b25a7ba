from contextlib import contextmanager

import tensorflow as tf

CONFIG = dict(pattern="gs://wiki-shards/train-*.tfrecord", batch=512, steps=20_000,
              profile=(500, 520), logdir="gs://wiki-logs/prof")


@contextmanager
def step_scope(step):
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        yield


@contextmanager
def profile_window(step, start, stop, logdir):
    if step == start:
        tf.profiler.experimental.start(logdir)
    yield
    if step == stop:
        tf.profiler.experimental.stop()


def tokens(ctx):
    batch = ctx.get_per_replica_batch_size(CONFIG["batch"])
    files = tf.data.Dataset.list_files(CONFIG["pattern"])
    files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).repeat().batch(batch, drop_remainder=True)
    ds = ds.map(lambda r: tf.reshape(tf.io.decode_raw(r, tf.int32, fixed_length=None), [batch, 129]),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Embedding(32_000, 256),
            tf.keras.layers.LSTM(512, return_sequences=True),
            tf.keras.layers.Dense(32_000),
        ])
        model.build((None, 128))
        opt = tf.keras.optimizers.Adam()
        opt.build(model.trainable_variables)

    def replica(seq):
        with tf.GradientTape() as tape:
            logits = model(seq[:, :-1], training=True)
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(seq[:, 1:], logits)
            loss = tf.reduce_mean(loss) / strategy.num_replicas_in_sync
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables),
                                model.trainable_variables))
        return loss

    @tf.function
    def train(seq):
        return strategy.reduce("SUM", strategy.run(replica, args=(seq,)), axis=None)

    source = iter(strategy.distribute_datasets_from_function(tokens))
    for step in range(CONFIG["steps"]):
        with profile_window(step, *CONFIG["profile"], CONFIG["logdir"]):
            seq = source.get_next()
            with step_scope(step):
                train(seq)


if __name__ == "__main__":
    main()
