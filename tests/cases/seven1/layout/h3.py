import tensorflow as tf
from tensorflow.keras import layers


class SelfAttention(layers.Layer):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.depth = heads, dim // heads
        self.qkv = layers.Dense(3 * dim, use_bias=False)
        self.proj = layers.Dense(dim)

    def call(self, x):
        n = tf.shape(x)[1]
        qkv = tf.reshape(self.qkv(x), (-1, n, 3, self.heads, self.depth))
        q, k, v = tf.unstack(tf.transpose(qkv, [2, 0, 3, 1, 4]))
        w = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / self.depth**0.5)
        y = tf.transpose(w @ v, [0, 2, 1, 3])
        return self.proj(tf.reshape(y, (-1, n, self.heads * self.depth)))


def parse(serialized):
    ex = tf.io.parse_example(serialized, {
        "tokens": tf.io.FixedLenFeature([256], tf.int64),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["tokens"], ex["label"]


files = tf.data.Dataset.list_files("/data/news/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(50_000).batch(128, drop_remainder=True)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    layers.Embedding(32_000, 256),
    SelfAttention(256, 8),
    layers.GlobalAveragePooling1D(),
    layers.Dense(20, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=5)
