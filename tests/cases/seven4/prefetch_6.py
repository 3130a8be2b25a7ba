import dataclasses

import tensorflow as tf

REGISTRY = {}


def register(name):
    def add(function):
        REGISTRY[name] = function
        return function
    return add


@dataclasses.dataclass(frozen=True)
class Speech:
    folder: str = "/data/librispeech"
    frames: int = 64_000
    batch: int = 32
    parallel: int = tf.data.AUTOTUNE

    def clip(self, path):
        wave, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, self.frames)
        spec = tf.abs(tf.signal.stft(wave[:, 0], 400, 160, 512))
        return tf.math.log(spec + 1e-6)


@register("masked")
def masked(cfg, split):
    ds = tf.data.Dataset.list_files(f"{cfg.folder}/{split}/*.wav")
    ds = ds.map(cfg.clip, num_parallel_calls=cfg.parallel)
    return ds.batch(cfg.batch, drop_remainder=True)


class Pretrainer:
    def __init__(self, encoder, cfg, kind="masked"):
        self.encoder = encoder
        self.optimizer = tf.keras.optimizers.AdamW(2e-4)
        self.splits = {name: REGISTRY[kind](cfg, name) for name in ("train", "dev")}
        self.optimizer.build(encoder.trainable_variables)
        self.compiled = tf.function(self.epoch)

    def epoch(self, batches):
        last = 0.0
        for spec in batches:
            keep = tf.cast(tf.random.uniform(tf.shape(spec)[:2]) > 0.15, spec.dtype)[..., None]
            with tf.GradientTape() as tape:
                guess = self.encoder(spec * keep, training=True)
                last = tf.reduce_mean(tf.square((guess - spec) * (1.0 - keep)))
            weights = self.encoder.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(last, weights), weights))
        return last

    def fit(self, epochs):
        for n in range(epochs):
            if (loss := self.compiled(self.splits["train"])) < 1e-4:
                break
            tf.print("epoch", n, loss)


gru = lambda units: tf.keras.layers.Bidirectional(tf.keras.layers.GRU(units, return_sequences=True))
Pretrainer(tf.keras.Sequential([tf.keras.Input((None, 257)), gru(256), gru(256), tf.keras.layers.Dense(257)]), Speech()).fit(100)
