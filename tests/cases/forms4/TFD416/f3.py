import tensorflow as tf


class Validator:
    def __init__(self, model, files, batch_size=128):
        self.model = model
        ds = tf.data.TFRecordDataset(files)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        self.batches = iter(ds.batch(batch_size).prefetch(tf.data.AUTOTUNE))
        self.metric = tf.keras.metrics.SparseCategoricalAccuracy()

    @staticmethod
    def parse(record):
        example = tf.io.parse_single_example(record, {
            "x": tf.io.FixedLenFeature([64], tf.float32),
            "y": tf.io.FixedLenFeature([], tf.int64),
        })
        return example["x"], example["y"]

    def evaluate(self):
        self.metric.reset_state()
        for x, y in self.batches:
            self.metric.update_state(y, self.model(x, training=False))
        return float(self.metric.result())


model = tf.keras.models.load_model("base.keras")
validator = Validator(model, ["valid.tfrecord"])
before = validator.evaluate()
model.load_weights("tuned.weights.h5")
after = validator.evaluate()
print(f"{before:.3f} -> {after:.3f}")
