"""Audio tagging. The network is built from a spec like the ones in our YAML files."""
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
FMT = "channels_first"

NETWORK = [
    ("Conv2D", {"filters": 64, "kernel_size": 3, "padding": "same", "activation": "relu"}),
    ("AveragePooling2D", {"pool_size": 2}),
    ("Conv2D", {"filters": 128, "kernel_size": 3, "padding": "same", "activation": "relu"}),
    ("AveragePooling2D", {"pool_size": 2}),
    ("Conv2D", {"filters": 256, "kernel_size": 3, "padding": "same", "activation": "relu"}),
    ("GlobalMaxPooling2D", {}),
]


def make_layer(kind, kwargs):
    if kind.endswith("2D"):
        kwargs = {**kwargs, "data_format": FMT}
    return getattr(tf.keras.layers, kind)(**kwargs)


def tagger(n_tags):
    stack = [make_layer(kind, kw) for kind, kw in NETWORK]
    return tf.keras.Sequential(stack + [tf.keras.layers.Dense(n_tags, dtype="float32")])


class Spectrograms:
    def __init__(self, sr=32_000, n_fft=1024, hop=320, n_mels=64):
        self.n_fft, self.hop, self.n = n_fft, hop, sr * 10
        self.mel = tf.signal.linear_to_mel_weight_matrix(n_mels, n_fft // 2 + 1, sr, 50.0, 14_000.0)

    def read(self, path, tags):
        wav, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, self.n)
        return wav[:, 0], tags

    def logmel(self, wav, tags):
        mag = tf.abs(tf.signal.stft(wav, self.n_fft, self.hop))
        feats = tf.math.log(tf.matmul(mag, self.mel) + 1e-5)
        return tf.expand_dims(feats, axis=1), tags

    def __call__(self, paths, tags, batch, training):
        ds = tf.data.Dataset.from_tensor_slices((paths, tags))
        if training:
            ds = ds.shuffle(len(paths))
        return (
            ds.map(self.read, num_parallel_calls=AUTO)
            .batch(batch, drop_remainder=training)
            .map(self.logmel, num_parallel_calls=AUTO)
            .prefetch(AUTO)
        )


def main():
    import numpy as np

    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    z = np.load("/data/audioset/balanced.npz")
    train = Spectrograms()(z["paths"].astype(str), z["tags"].astype("float32"), 64, True)
    model = tagger(z["tags"].shape[1])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(train, epochs=40)


if __name__ == "__main__":
    main()
