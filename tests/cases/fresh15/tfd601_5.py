import numpy as np
import tensorflow as tf

HEADS, DIM, STEPS, SENSORS = 4, 64, 200, 18


def load(path):
    blob = np.load(path)
    return blob["sensors"].astype("float32"), blob["fault"].astype("int64")


def to_time_major(readings, fault):
    readings = tf.transpose(readings, [1, 0])
    return tf.ensure_shape(readings, (STEPS, SENSORS)), fault


def stream(path, training, batch_size=128):
    readings, fault = load(path)
    ds = tf.data.Dataset.from_tensor_slices((readings, fault))
    if training:
        ds = ds.shuffle(len(readings))
    ds = ds.map(to_time_major, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


class SelfAttention(tf.keras.layers.Layer):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = tf.keras.layers.Dense(3 * dim)
        self.out = tf.keras.layers.Dense(dim)

    def _split(self, x):
        b, t = tf.shape(x)[0], tf.shape(x)[1]
        x = tf.reshape(x, [b, t, self.heads, x.shape[-1] // self.heads])
        return tf.transpose(x, [0, 2, 1, 3])

    def call(self, x):
        q, k, v = (self._split(part) for part in tf.split(self.qkv(x), 3, axis=-1))
        scores = tf.matmul(q, k, transpose_b=True) / (DIM / HEADS) ** 0.5
        mixed = tf.transpose(tf.matmul(tf.nn.softmax(scores), v), [0, 2, 1, 3])
        b, t = tf.shape(x)[0], tf.shape(x)[1]
        return self.out(tf.reshape(mixed, [b, t, DIM]))


def main():
    inputs = tf.keras.Input((STEPS, SENSORS))
    x = tf.keras.layers.Dense(DIM)(inputs)
    for _ in range(3):
        x = tf.keras.layers.LayerNormalization()(x + SelfAttention(DIM, HEADS)(x))
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(8, activation="softmax")(x))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        stream("/data/bearing/train.npz", True),
        validation_data=stream("/data/bearing/valid.npz", False),
        epochs=30,
    )


if __name__ == "__main__":
    main()
