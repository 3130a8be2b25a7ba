import tensorflow as tf

HEADS, DIM = 4, 64


def spectrogram(rec):
    ex = tf.io.parse_single_example(rec, {
        "wav": tf.io.FixedLenFeature([], tf.string), "y": tf.io.FixedLenFeature([], tf.int64)})
    wave, _ = tf.audio.decode_wav(ex["wav"], 1, 64000)
    spec = tf.abs(tf.signal.stft(wave[:, 0], 510, 250))
    return tf.transpose(tf.math.log1p(spec), [1, 0])[..., tf.newaxis], ex["y"]


class SelfAttention(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.qkv = tf.keras.layers.Dense(3 * HEADS * DIM)

    def call(self, x):
        n, t = tf.shape(x)[0], tf.shape(x)[1]
        q, k, v = tf.split(self.qkv(x), 3, axis=-1)
        q, k, v = (tf.transpose(tf.reshape(a, [n, t, HEADS, DIM]), [0, 2, 1, 3]) for a in (q, k, v))
        w = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / DIM ** 0.5)
        return tf.reshape(tf.transpose(tf.matmul(w, v), [0, 2, 1, 3]), [n, t, HEADS * DIM])


files = tf.data.Dataset.list_files("/whales/train-*.tfrecord", shuffle=True)
train = (
    files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(3000)
    .map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(32)
    .prefetch(tf.data.AUTOTUNE)
)
net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=4, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, strides=4, activation="relu"),
    tf.keras.layers.Reshape((-1, 64)),
    SelfAttention(),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(2),
])
net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
net.fit(train, epochs=20)
