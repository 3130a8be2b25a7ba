"""Distributed BERT-style CTR sequence model (Taobao user behaviour)."""
import os

from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string('data', '/data/taobao/seq-*.tfrecord', '')
flags.DEFINE_string('model_dir', '/models/bst', '')
flags.DEFINE_integer('global_batch', 4096, '')
flags.DEFINE_integer('steps', 50000, '')
flags.DEFINE_integer('profile_steps', 25, '')


def input_dataset():
    spec = {'items': tf.io.FixedLenFeature([50], tf.int64),
            'target': tf.io.FixedLenFeature([], tf.int64),
            'click': tf.io.FixedLenFeature([], tf.float32)}
    ds = tf.data.Dataset.list_files(FLAGS.data)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100000).repeat()
    ds = ds.batch(FLAGS.global_batch, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build_model(n_items=5_000_000, d=64):
    items = tf.keras.Input((50,), dtype=tf.int64, name='items')
    target = tf.keras.Input((), dtype=tf.int64, name='target')
    emb = tf.keras.layers.Embedding(n_items, d)
    h = emb(items)
    h = tf.keras.layers.LayerNormalization()(
        h + tf.keras.layers.MultiHeadAttention(8, d // 8)(h, h))
    x = tf.keras.layers.Concatenate()(
        [tf.keras.layers.GlobalAveragePooling1D()(h), emb(target)])
    for u in (1024, 512, 256):
        x = tf.keras.layers.Dense(u, activation='relu')(x)
    return tf.keras.Model([items, target], tf.keras.layers.Dense(1)(x))


def run_steps(train_fn, iterator, n):
    loss = None
    for _ in range(n):
        loss = train_fn(next(iterator))
    return loss


def main(_):
    strategy = tf.distribute.MirroredStrategy()
    iterator = iter(strategy.experimental_distribute_dataset(input_dataset()))
    with strategy.scope():
        model = build_model()
        opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def train_fn(batch):
        def replica(b):
            with tf.GradientTape() as tape:
                logit = model([b['items'], b['target']], training=True)
                loss = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(
                    b['click'][:, None], logit)) / FLAGS.global_batch
            grads = tape.gradient(loss, model.trainable_variables)
            opt.apply_gradients(zip(grads, model.trainable_variables))
            return loss
        return strategy.reduce('SUM', strategy.run(replica, (batch,)), axis=None)

    run_steps(train_fn, iterator, 100)
    with tf.profiler.experimental.Profile(os.path.join(FLAGS.model_dir, 'prof')):
        run_steps(train_fn, iterator, FLAGS.profile_steps)
    for s in range(0, FLAGS.steps, 1000):
        print(s, float(run_steps(train_fn, iterator, 1000)))
        model.save_weights(os.path.join(FLAGS.model_dir, 'bst.weights.h5'))


if __name__ == '__main__':
    app.run(main)
