"""Two-tower retrieval on logged impressions (sharded GCS TFRecords)."""
import dataclasses
import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class DataConfig:
    input_path: str = "gs://reco-logs/impressions/2023-*/part-*.tfrecord.gz"
    global_batch_size: int = 8192
    cycle_length: int = 32
    block_length: int = 64
    shuffle_buffer: int = 262144
    compression: str = "GZIP"


class ImpressionReader:
    def __init__(self, cfg: DataConfig):
        self.cfg = cfg
        self.spec = {
            "user_id": tf.io.FixedLenFeature([], tf.int64),
            "item_id": tf.io.FixedLenFeature([], tf.int64),
            "history": tf.io.FixedLenFeature([50], tf.int64),
            "click": tf.io.FixedLenFeature([], tf.float32),
        }

    def _open(self, filename):
        return tf.data.TFRecordDataset(
            filename, compression_type=self.cfg.compression, buffer_size=16 << 20)

    def _parse(self, records):
        feats = tf.io.parse_example(records, self.spec)
        return feats, feats.pop("click")

    def __call__(self):
        files = tf.data.Dataset.list_files(self.cfg.input_path, shuffle=True)
        ds = files.interleave(
            self._open,
            cycle_length=self.cfg.cycle_length,
            block_length=self.cfg.block_length)
        ds = ds.shuffle(self.cfg.shuffle_buffer)
        ds = ds.repeat()
        ds = ds.batch(self.cfg.global_batch_size, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


class TwoTower(tf.keras.Model):
    def __init__(self, users=50_000_000, items=5_000_000, dim=64):
        super().__init__()
        self.hash_u = tf.keras.layers.Hashing(users // 10)
        self.hash_i = tf.keras.layers.Hashing(items // 10)
        self.user = tf.keras.layers.Embedding(users // 10, dim)
        self.item = tf.keras.layers.Embedding(items // 10, dim)
        self.proj = tf.keras.layers.Dense(dim)

    def call(self, f):
        hist = tf.reduce_mean(self.item(self.hash_i(f["history"])), axis=1)
        u = self.proj(tf.concat([self.user(self.hash_u(f["user_id"])), hist], -1))
        return tf.reduce_sum(u * self.item(self.hash_i(f["item_id"])), -1)


def main():
    cfg = DataConfig()
    model = TwoTower()
    model.compile(tf.keras.optimizers.Adagrad(0.05),
                  tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(ImpressionReader(cfg)(), steps_per_epoch=50_000, epochs=10,
              callbacks=[tf.keras.callbacks.BackupAndRestore("/ckpt/two_tower")])


if __name__ == "__main__":
    main()
