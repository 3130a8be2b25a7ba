"""Demand forecasting on per-store CSV exports."""
import tensorflow as tf

COLUMNS = ["store", "dow", "promo", "holiday", "price", "temp", "sales"]
DEFAULTS = [0.0] * len(COLUMNS)


class CsvShardsMixin:
    """Reads many CSV files as one stream of text lines."""

    cycle = 24

    def lines(self, pattern):
        files = tf.data.Dataset.list_files(pattern, shuffle=self.training, seed=11)
        return files.interleave(
            lambda f: tf.data.TextLineDataset(f, buffer_size=1 << 20).skip(1),
            cycle_length=self.cycle, block_length=32)


class BatchMixin:
    def collate(self, ds, size):
        if self.training:
            ds = ds.shuffle(100_000)
        return ds.batch(size, drop_remainder=self.training)


class SalesInput(CsvShardsMixin, BatchMixin):
    def __init__(self, root, training):
        self.root = root
        self.training = training

    @staticmethod
    def parse(lines):
        cols = tf.io.decode_csv(lines, DEFAULTS)
        x = tf.stack(cols[:-1], axis=-1)
        return x, tf.math.log1p(cols[-1])

    def build(self, size=4096):
        ds = self.lines(f"{self.root}/{'train' if self.training else 'test'}/*.csv")
        ds = self.collate(ds, size)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def regressor():
    return tf.keras.Sequential([
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(256, "relu"),
        tf.keras.layers.Dense(256, "relu"),
        tf.keras.layers.Dense(1)])


def main():
    train = SalesInput("/warehouse/rossmann", True).build()
    test = SalesInput("/warehouse/rossmann", False).build()
    model = regressor()
    model.compile(tf.keras.optimizers.AdamW(1e-3), "mae")
    model.fit(train, validation_data=test, epochs=15)


if __name__ == "__main__":
    main()
