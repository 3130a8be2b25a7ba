import numpy as np
import tensorflow as tf
from tensorflow import data as tfd


class DivergedError(RuntimeError):
    pass


def check_finite(loss, step):
    if not np.isfinite(loss.numpy()):
        raise DivergedError(f"loss is not finite at step {step}")


class Seq2SeqTrainer:
    def __init__(self, model, learning_rate=1e-3, hooks=()):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(learning_rate)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.hooks = hooks

    @tf.function
    def step(self, source, target):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(target, self.model(source, training=True))
        grads, _ = tf.clip_by_global_norm(
            tape.gradient(loss, self.model.trainable_variables), 1.0)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self, dataset):
        for number, (source, target) in enumerate(dataset):
            loss = self.step(source, target)
            for hook in self.hooks:
                hook(loss, number)


def tagged_text(pattern, length=96, batch_size=256):
    spec = {key: tf.io.FixedLenFeature([length], tf.int64) for key in ("words", "tags")}
    ds = tfd.Dataset.list_files(pattern, shuffle=True)
    ds = ds.interleave(tfd.TFRecordDataset, num_parallel_calls=tfd.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(50_000).repeat(5).batch(batch_size, drop_remainder=True)

    def parse(records):
        parsed = tf.io.parse_example(records, spec)
        return parsed["words"], parsed["tags"]

    return ds.map(parse, num_parallel_calls=tfd.AUTOTUNE).prefetch(tfd.AUTOTUNE)


if __name__ == "__main__":
    tagger = tf.keras.Sequential([
        tf.keras.layers.Embedding(50_000, 256),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256, return_sequences=True)),
        tf.keras.layers.Dense(45),
    ])
    Seq2SeqTrainer(tagger, hooks=[check_finite]).fit(tagged_text("/data/ner/train-*"))
