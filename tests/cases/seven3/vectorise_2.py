import sys

import tensorflow as tf

COLUMNS = [("duration", 0.0), ("src_bytes", 0.0), ("dst_bytes", 0.0), ("protocol", ""), ("service", ""),
           ("flag", ""), ("label", 0)]


class FlowInput:
    def __init__(self, directory, batch_size=1024):
        self.directory = directory
        self.batch_size = batch_size
        self.names = [name for name, _ in COLUMNS]
        self.defaults = [default for _, default in COLUMNS]

    def parse_row(self, row):
        values = tf.io.decode_csv(row, record_defaults=self.defaults)
        features = dict(zip(self.names, values))
        target = features.pop("label")
        return features, target

    def get(self, split):
        shards = tf.data.Dataset.list_files(f"{self.directory}/{split}/part-*.csv", shuffle=True)
        rows = shards.interleave(tf.data.TextLineDataset, cycle_length=16, block_length=64,
                                 num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        rows = rows.shuffle(100_000)
        examples = rows.map(self.parse_row, num_parallel_calls=tf.data.AUTOTUNE)
        return examples.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def intrusion_model():
    numeric = {n: tf.keras.Input((1,), name=n) for n in ("duration", "src_bytes", "dst_bytes")}
    symbolic = {n: tf.keras.Input((1,), name=n, dtype="string") for n in ("protocol", "service", "flag")}
    encoded = [tf.keras.layers.CategoryEncoding(128, output_mode="multi_hot")(tf.keras.layers.Hashing(128)(s))
               for s in symbolic.values()]
    x = tf.keras.layers.Concatenate()(list(numeric.values()) + encoded)
    x = tf.keras.layers.BatchNormalization()(x)
    x = tf.keras.layers.Dense(256, activation="relu")(x)
    return tf.keras.Model({**numeric, **symbolic}, tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    source = FlowInput(sys.argv[1])
    model = intrusion_model()
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(source.get("train"), validation_data=source.get("valid"), epochs=10)
