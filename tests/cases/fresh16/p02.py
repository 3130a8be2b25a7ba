import glob

import soundfile
import tensorflow as tf
from scipy.signal import resample_poly

CLIP = 16000


class MultiRateCorpus:
    """Bird calls, offered at a handful of playback rates for the consistency loss."""

    def __init__(self, pattern, rates=(8, 12, 16, 24)):
        self.paths = sorted(glob.glob(pattern))
        self.rates = rates
        self.views = {}

    def build(self):
        base = tf.data.Dataset.from_tensor_slices(self.paths)
        for rate in self.rates:

            def load(path):
                wav, _ = soundfile.read(path.decode(), dtype="float32")
                wav = resample_poly(wav, rate, 16).astype("float32")
                return wav[:CLIP]

            def to_clip(path):
                wav = tf.numpy_function(load, [path], tf.float32)
                wav.set_shape([None])
                wav = tf.pad(wav, [[0, CLIP]])[:CLIP]
                return wav

            self.views[rate] = base.map(to_clip, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def aligned(self, batch_size):
        both = tf.data.Dataset.zip(tuple(self.views[r] for r in self.rates))
        return both.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.stack = tf.keras.Sequential([
            tf.keras.layers.Conv1D(32, 80, 16, activation="relu"),
            tf.keras.layers.Conv1D(64, 9, 4, activation="relu"),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(64),
        ])

    def call(self, wav):
        return tf.math.l2_normalize(self.stack(wav[..., tf.newaxis]), axis=-1)


encoder = Encoder()
optimizer = tf.keras.optimizers.Adam(3e-4)


@tf.function
def step(views):
    with tf.GradientTape() as tape:
        codes = [encoder(v, training=True) for v in views]
        anchor = codes[0]
        loss = 0.0
        for other in codes[1:]:
            logits = tf.matmul(anchor, other, transpose_b=True) / 0.1
            target = tf.range(tf.shape(logits)[0])
            loss += tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(target, logits))
    grads = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(grads, encoder.trainable_variables))
    return loss


if __name__ == "__main__":
    corpus = MultiRateCorpus("xeno/*.flac").build()
    data = corpus.aligned(48)
    for epoch in range(10):
        mean = tf.keras.metrics.Mean()
        for views in data:
            mean.update_state(step(views))
        print(epoch, mean.result().numpy())
