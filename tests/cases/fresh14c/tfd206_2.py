import glob

import tensorflow as tf

RATE = 16000
CLIP = RATE * 2


class WaveAugmenter:
    """Background noise and time shift for keyword clips."""

    def __init__(self, base_seed, noise_level=0.01, max_shift=1600):
        self._seed = tf.constant([base_seed, base_seed + 1], dtype=tf.int32)
        self.noise_level = noise_level
        self.max_shift = max_shift

    def _noise(self, wave):
        hiss = tf.random.stateless_normal(tf.shape(wave), seed=self._seed)
        return wave + self.noise_level * hiss

    def _shift(self, wave):
        offset = tf.random.stateless_uniform(
            [], seed=self._seed, minval=-self.max_shift, maxval=self.max_shift, dtype=tf.int32
        )
        return tf.roll(wave, offset, axis=0)

    def __call__(self, wave, label):
        return self._noise(self._shift(wave)), label


class ClipSource:
    def __init__(self, root, words):
        self.words = words
        self.files, self.labels = [], []
        for index, word in enumerate(words):
            found = sorted(glob.glob(f"{root}/{word}/*.wav"))
            self.files += found
            self.labels += [index] * len(found)

    @staticmethod
    def read(path, label):
        wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=CLIP)
        wave = tf.squeeze(wave, -1)
        return tf.ensure_shape(wave, [CLIP]), label

    def dataset(self, batch_size, augmenter=None):
        ds = tf.data.Dataset.from_tensor_slices((self.files, self.labels))
        if augmenter is not None:
            ds = ds.shuffle(len(self.files))
        ds = ds.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
        if augmenter is not None:
            ds = ds.map(augmenter, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


class KeywordNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.convs = [tf.keras.layers.Conv2D(f, 3, activation="relu") for f in (32, 64)]
        self.pool = tf.keras.layers.GlobalAveragePooling2D()
        self.head = tf.keras.layers.Dense(classes)

    def call(self, wave):
        x = tf.abs(tf.signal.stft(wave, 400, 160))[..., None]
        for conv in self.convs:
            x = conv(x)
        return self.head(self.pool(x))


if __name__ == "__main__":
    words = ["yes", "no", "stop", "go", "left", "right"]
    train = ClipSource("speech/train", words).dataset(128, WaveAugmenter(41))
    valid = ClipSource("speech/valid", words).dataset(128)
    net = KeywordNet(len(words))
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    net.fit(train, validation_data=valid, epochs=30)
