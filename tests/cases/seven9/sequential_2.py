"""Two-tower retrieval model on click logs (GCS shards)."""
import argparse
import tensorflow as tf

SPEC = {
    'user_id': tf.io.FixedLenFeature([], tf.int64),
    'item_id': tf.io.FixedLenFeature([], tf.int64),
    'history': tf.io.FixedLenFeature([50], tf.int64),
}


def make_files(prefix, n):
    return [f'{prefix}-{i:05d}-of-{n:05d}.gz' for i in range(n)]


def open_shard(path):
    return tf.data.TFRecordDataset(path, compression_type='GZIP',
                                   buffer_size=16 * 1024 * 1024)


def parse(batch):
    return tf.io.parse_example(batch, SPEC)


def click_stream(prefix, num_shards, batch_size):
    files = tf.data.Dataset.from_tensor_slices(make_files(prefix, num_shards))
    files = files.shuffle(num_shards)
    rows = files.interleave(open_shard, cycle_length=32, block_length=8)
    return (rows.shuffle(200_000)
            .batch(batch_size, drop_remainder=True)
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE))


class TwoTower(tf.keras.Model):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.users = tf.keras.layers.Embedding(n_users, dim)
        self.items = tf.keras.layers.Embedding(n_items, dim)
        self.proj = tf.keras.layers.Dense(dim)

    def call(self, feats):
        hist = tf.reduce_mean(self.items(feats['history']), axis=1)
        u = self.proj(tf.concat([self.users(feats['user_id']), hist], -1))
        return tf.matmul(u, self.items(feats['item_id']), transpose_b=True)

    def train_step(self, feats):
        with tf.GradientTape() as tape:
            logits = self(feats, training=True)
            labels = tf.range(tf.shape(logits)[0])
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {'loss': loss}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--prefix', default='gs://clicks/2023/part')
    ap.add_argument('--shards', type=int, default=1024)
    ap.add_argument('--batch', type=int, default=8192)
    args = ap.parse_args()

    model = TwoTower(30_000_000, 2_000_000, 64)
    model.compile(optimizer=tf.keras.optimizers.Adagrad(0.05))
    model.fit(click_stream(args.prefix, args.shards, args.batch), epochs=3)
    model.save_weights('two_tower.weights.h5')


if __name__ == '__main__':
    main()
