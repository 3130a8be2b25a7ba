"""Taxi fare regression from daily CSV files; the first 30 days are held out."""
import tensorflow as tf

COLUMNS = ["distance", "hour", "weekday", "pickup", "dropoff", "fare"]
DEFAULTS = [0.0, 0, 0, 0, 0, 0.0]


class FareData:
    def __init__(self, pattern, held_out_days=30, batch=2048):
        self.days = tf.data.Dataset.list_files(pattern, shuffle=False)
        self.held_out = held_out_days
        self.batch = batch

    @staticmethod
    def _lines(path):
        return tf.data.TextLineDataset(path).skip(1)

    @staticmethod
    def _columns(lines):
        values = dict(zip(COLUMNS, tf.io.decode_csv(lines, DEFAULTS)))
        target = values.pop("fare")
        return values, tf.math.log1p(target)

    def _finish(self, days, training):
        rows = days.interleave(self._lines, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE,
                               deterministic=not training)
        if training:
            rows = rows.shuffle(200_000)
        rows = rows.batch(self.batch).map(self._columns, num_parallel_calls=tf.data.AUTOTUNE)
        return rows.prefetch(tf.data.AUTOTUNE)

    def train(self):
        return self._finish(self.days.skip(self.held_out).shuffle(1000), True)

    def valid(self):
        return self._finish(self.days.take(self.held_out), False)


def model():
    inputs = {c: tf.keras.Input((), name=c, dtype="float32" if c == "distance" else "int32") for c in COLUMNS[:-1]}
    parts = [tf.keras.layers.Reshape((1,))(inputs["distance"])]
    for name, size in (("hour", 24), ("weekday", 7), ("pickup", 300), ("dropoff", 300)):
        parts.append(tf.keras.layers.Embedding(size, 8)(inputs[name]))
    x = tf.keras.layers.Concatenate()(parts)
    x = tf.keras.layers.Dense(128, activation="relu")(x)
    net = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))
    net.compile("adam", "mse")
    return net


if __name__ == "__main__":
    data = FareData("/data/taxi/2023-*.csv")
    model().fit(data.train(), validation_data=data.valid(), epochs=6)
