import dataclasses
import glob

import tensorflow as tf


@dataclasses.dataclass
class ClickLogConfig:
    pattern: str = "/mnt/logs/clicks/2023-*/part-*.csv.gz"
    hash_bins: int = 500_000
    dim: int = 32
    batch_size: int = 4096
    window: int = 200_000
    steps: int = 40_000


class ClickLogs:
    """Streams (user, item, clicked) rows out of the gzipped daily exports."""

    columns = [tf.constant("", tf.string), tf.constant("", tf.string), tf.constant(0.0)]

    def __init__(self, cfg):
        self.cfg = cfg
        self.paths = sorted(glob.glob(cfg.pattern))

    def _open(self, path):
        return tf.data.TextLineDataset(path, compression_type="GZIP").skip(1)

    def _parse(self, lines):
        user, item, clicked = tf.io.decode_csv(lines, self.columns)
        u = tf.strings.to_hash_bucket_fast(user, self.cfg.hash_bins)
        i = tf.strings.to_hash_bucket_fast(item, self.cfg.hash_bins)
        return u, i, clicked

    def stream(self):
        c = self.cfg
        files = tf.data.Dataset.from_tensor_slices(self.paths)
        files = files.shuffle(len(self.paths)).repeat()
        rows = files.flat_map(self._open)
        rows = rows.shuffle(c.window).batch(c.batch_size, drop_remainder=True)
        rows = rows.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return rows.prefetch(tf.data.AUTOTUNE)


class TwoTower(tf.Module):
    def __init__(self, cfg):
        super().__init__()
        self.users = tf.Variable(tf.random.normal([cfg.hash_bins, cfg.dim], stddev=0.05))
        self.items = tf.Variable(tf.random.normal([cfg.hash_bins, cfg.dim], stddev=0.05))

    def __call__(self, u, i):
        return tf.reduce_sum(tf.gather(self.users, u) * tf.gather(self.items, i), axis=-1)


def main():
    cfg = ClickLogConfig()
    model = TwoTower(cfg)
    opt = tf.keras.optimizers.Adagrad(0.05)

    @tf.function
    def step(u, i, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=model(u, i))
            )
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for n, batch in enumerate(ClickLogs(cfg).stream().take(cfg.steps)):
        loss = step(*batch)
        if n % 500 == 0:
            print(f"step {n} loss {float(loss):.4f}")


if __name__ == "__main__":
    main()
