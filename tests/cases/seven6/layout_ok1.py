import tensorflow as tf
from tensorflow.keras import layers

RECORD_BYTES = 1 + 3 * 32 * 32


def decode(records):
    raw = tf.io.decode_raw(records, tf.uint8)
    label = tf.cast(raw[:, 0], tf.int32)
    chw = tf.reshape(raw[:, 1:], [-1, 3, 32, 32])
    hwc = tf.transpose(chw, [0, 2, 3, 1])
    return tf.cast(hwc, tf.float32) / 255.0, label


def cifar(files, batch_size):
    ds = tf.data.FixedLengthRecordDataset(files, RECORD_BYTES)
    ds = ds.cache().shuffle(50_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


class SelfAttention(layers.Layer):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.size = heads, dim // heads
        self.qkv, self.out = layers.Dense(3 * dim), layers.Dense(dim)

    def call(self, x):
        n = tf.shape(x)[1]
        qkv = tf.reshape(self.qkv(x), (-1, n, 3, self.heads, self.size))
        q, k, v = tf.unstack(tf.transpose(qkv, (2, 0, 3, 1, 4)))
        a = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * self.size ** -0.5)
        y = tf.transpose(tf.matmul(a, v), (0, 2, 1, 3))
        return self.out(tf.reshape(y, (-1, n, self.heads * self.size)))


def hybrid(classes=10, dim=192):
    inputs = tf.keras.Input((32, 32, 3))
    x = layers.RandomFlip("horizontal")(inputs)
    x = layers.Conv2D(64, 3, padding="same", activation="relu", data_format="channels_last")(x)
    x = layers.Conv2D(dim, 4, strides=4)(x)
    x = layers.Reshape((64, dim))(x)
    for _ in range(6):
        x = x + SelfAttention(dim, 3)(layers.LayerNormalization()(x))
        x = x + layers.Dense(dim)(layers.Dense(2 * dim, activation="gelu")(layers.LayerNormalization()(x)))
    return tf.keras.Model(inputs, layers.Dense(classes)(layers.GlobalAveragePooling1D()(x)))


if __name__ == "__main__":
    train = cifar([f"/data/cifar-10-batches-bin/data_batch_{i}.bin" for i in range(1, 6)], 256)
    model = hybrid()
    model.compile(tf.keras.optimizers.AdamW(1e-3),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, epochs=200)
    model.save("hybrid.keras")
