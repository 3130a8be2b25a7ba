import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class TrainConfig:
    pattern: str = "/data/lm/train-*.tfrecord"
    logdir: str = "/logs/lm"
    steps_per_epoch: int = 2500
    epochs: int = 10
    profile_epoch: int = 1


class LanguageModelTrainer:
    def __init__(self, config, model):
        self.config = config
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(3e-4)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def data(self):
        spec = {"ids": tf.io.FixedLenFeature([257], tf.int64)}
        ds = tf.data.Dataset.list_files(self.config.pattern, shuffle=True)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(50_000).repeat().batch(128, drop_remainder=True)
        ds = ds.map(lambda r: tf.io.parse_example(r, spec)["ids"],
                    num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    @tf.function
    def train_step(self, ids):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(ids[:, 1:], self.model(ids[:, :-1], training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def run_epoch(self, iterator, epoch):
        base = epoch * self.config.steps_per_epoch
        for step in range(base, base + self.config.steps_per_epoch):
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                self.train_step(next(iterator))

    def fit(self):
        iterator = iter(self.data())
        for epoch in range(self.config.epochs):
            if epoch == self.config.profile_epoch:
                with tf.profiler.experimental.Profile(self.config.logdir):
                    self.run_epoch(iterator, epoch)
            else:
                self.run_epoch(iterator, epoch)


if __name__ == "__main__":
    layers = tf.keras.layers
    net = tf.keras.Sequential([layers.Embedding(32_000, 512),
                               layers.LSTM(512, return_sequences=True), layers.Dense(32_000)])
    LanguageModelTrainer(TrainConfig(), net).fit()
