"""Audio tagging with a profile of six late steps."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Run:
    data: str = "/data/audioset/balanced-*.tfrecord"
    logdir: str = "/logs/audioset"
    profile_at: int = 500
    profile_steps: int = 6
    epochs: int = 100

    def profile_range(self):
        return self.profile_at, self.profile_at + self.profile_steps - 1


def clips(pattern):
    spec = {
        "embedding": tf.io.FixedLenFeature([10, 128], tf.float32),
        "tags": tf.io.VarLenFeature(tf.int64),
    }

    def parse(rows):
        ex = tf.io.parse_example(rows, spec)
        tags = tf.sparse.to_dense(ex["tags"], default_value=-1)
        return ex["embedding"], tf.reduce_max(tf.one_hot(tags, 527), axis=1)

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(20_000).batch(32, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def tagger():
    inp = tf.keras.Input((10, 128))
    h = tf.keras.layers.MultiHeadAttention(8, 32)(inp, inp)
    h = tf.keras.layers.GlobalAveragePooling1D()(tf.keras.layers.LayerNormalization()(h + inp))
    h = tf.keras.layers.Dense(1024, activation="relu")(h)
    return tf.keras.Model(inp, tf.keras.layers.Dense(527)(h))


if __name__ == "__main__":
    run = Run()
    model = tagger()
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    board = tf.keras.callbacks.TensorBoard(run.logdir, profile_batch=run.profile_range())
    model.fit(clips(run.data), epochs=run.epochs, callbacks=[board])
