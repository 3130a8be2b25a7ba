"""Controller with a helper for the next batch; iterator kept as an attribute."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class RunConfig:
    steps: int = 50_000
    profile_at: int = 1_000
    profile_for: int = 25
    logdir: str = "/logs/translate"


class Controller:
    def __init__(self, config, dataset, step_fn):
        self.config = config
        self._dataset = dataset
        self._iterator = None
        self._step_fn = step_fn

    def _next_batch(self):
        if self._iterator is None:
            self._iterator = iter(self._dataset)
        return next(self._iterator)

    def run(self):
        cfg = self.config
        end = cfg.profile_at + cfg.profile_for
        for step in range(cfg.steps):
            if step == cfg.profile_at:
                tf.profiler.experimental.start(cfg.logdir)
            batch = self._next_batch()
            with tf.profiler.experimental.Trace("TrainStep", step_num=step, _r=1):
                self._step_fn(*batch)
            if step == end:
                tf.profiler.experimental.stop()


def sentence_pairs(pattern, batch_size=96, length=64):
    spec = {k: tf.io.FixedLenFeature([length], tf.int64) for k in ("source", "target")}

    def parse(serialized):
        row = tf.io.parse_example(serialized, spec)
        return row["source"], row["target"]

    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=16)
    ds = ds.shuffle(200_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def make_step(vocab=16_000, width=384):
    embed = tf.keras.layers.Embedding(vocab, width)
    encoder = tf.keras.layers.GRU(width, return_state=True)
    decoder = tf.keras.layers.GRU(width, return_sequences=True)
    head = tf.keras.layers.Dense(vocab)
    optimizer = tf.keras.optimizers.Adam(2e-4)

    @tf.function
    def step(source, target):
        with tf.GradientTape() as tape:
            _, state = encoder(embed(source))
            logits = head(decoder(embed(target[:, :-1]), initial_state=state))
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=target[:, 1:], logits=logits))
        weights = [w for l in (embed, encoder, decoder, head) for w in l.trainable_variables]
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    return step


if __name__ == "__main__":
    Controller(RunConfig(), sentence_pairs("/data/wmt/*.tfrecord"), make_step()).run()
