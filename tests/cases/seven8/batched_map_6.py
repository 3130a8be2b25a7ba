"""WaveNet-style vocoder on fixed-length int16 windows, builder with stage methods."""
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
WINDOW = 16000


class WindowPipeline:
    """Streams windows of fixed-length binary records (2 bytes per sample)."""

    def __init__(self, pattern):
        self._files = sorted(tf.io.gfile.glob(pattern))
        self._ds = None

    def read(self):
        self._ds = tf.data.FixedLengthRecordDataset(
            self._files, record_bytes=WINDOW * 2, num_parallel_reads=AUTOTUNE)
        return self

    def shuffle(self, buffer_size):
        self._ds = self._ds.shuffle(buffer_size).repeat()
        return self

    def decode(self):
        self._ds = self._ds.map(
            lambda raw: tf.io.decode_raw(raw, tf.int16, fixed_length=WINDOW * 2),
            num_parallel_calls=AUTOTUNE)
        return self

    def rescale(self):
        self._ds = self._ds.map(self._to_float, num_parallel_calls=AUTOTUNE)
        return self

    @staticmethod
    def _to_float(pcm):
        return tf.cast(pcm, tf.float32) * (1.0 / 32768.0)

    def batch(self, n):
        self._ds = self._ds.batch(n, drop_remainder=True)
        return self

    def build(self):
        return self._ds.prefetch(AUTOTUNE)


def mu_law(x, mu=255.0):
    y = tf.sign(x) * tf.math.log1p(mu * tf.abs(x)) / tf.math.log1p(mu)
    return tf.cast((y + 1.0) * 0.5 * mu + 0.5, tf.int32)


def wavenet(channels=64, layers=20):
    inp = tf.keras.Input((None,), dtype=tf.int32)
    x = tf.keras.layers.Embedding(256, channels)(inp)
    skips = []
    for i in range(layers):
        d = 2 ** (i % 10)
        g = tf.keras.layers.Conv1D(channels, 2, padding="causal", dilation_rate=d, activation="tanh")(x)
        s = tf.keras.layers.Conv1D(channels, 2, padding="causal", dilation_rate=d, activation="sigmoid")(x)
        z = tf.keras.layers.Conv1D(channels, 1)(g * s)
        skips.append(z)
        x = x + z
    out = tf.keras.layers.Conv1D(256, 1)(tf.keras.layers.ReLU()(tf.keras.layers.Add()(skips)))
    return tf.keras.Model(inp, out)


def main():
    ds = WindowPipeline("/data/libritts/windows-*.bin").read().shuffle(50_000).decode().rescale().batch(32).build()
    model = wavenet()
    opt = tf.keras.optimizers.Adam(2e-4)
    ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(wav):
        q = mu_law(wav)
        with tf.GradientTape() as tape:
            loss = ce(q[:, 1:], model(q[:, :-1], training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for step, wav in enumerate(ds.take(500_000)):
        loss = train_step(wav)
        if step % 1000 == 0:
            print(step, float(loss))
            model.save_weights(f"wavenet_{step:07d}.weights.h5")


if __name__ == "__main__":
    main()
