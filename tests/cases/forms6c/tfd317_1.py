import tensorflow as tf

NUM_COLUMNS = 40
HOLDOUT_ROWS = 200_000


class ClickDataModule:
    def __init__(self, csv_path, batch_size=4096):
        self.csv_path = csv_path
        self.batch_size = batch_size
        self.rows = None

    def _parse_row(self, line):
        fields = tf.io.decode_csv(line, [[0.0]] * (NUM_COLUMNS + 1))
        features = tf.math.log1p(tf.maximum(tf.stack(fields[1:]), 0.0))
        return features, fields[0]

    def setup(self):
        lines = tf.data.TextLineDataset(self.csv_path)
        self.rows = lines.map(self._parse_row, num_parallel_calls=tf.data.AUTOTUNE)

    def train_data(self):
        ds = self.rows.skip(HOLDOUT_ROWS)
        ds = ds.shuffle(100_000)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def val_data(self):
        ds = self.rows.take(HOLDOUT_ROWS)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    module = ClickDataModule("/data/clicks/day_0.csv")
    module.setup()
    model = tf.keras.Sequential([
        tf.keras.Input((NUM_COLUMNS,)),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(module.train_data(), validation_data=module.val_data(), epochs=5)


if __name__ == "__main__":
    main()
