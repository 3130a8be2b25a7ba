import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([30], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


class Evaluator:
    batch_size = 512

    def __init__(self, model):
        self.model = model
        self.accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    def parse(self, batch):
        f = tf.io.parse_example(batch, SPEC)
        return f["x"], f["y"]

    def test_data(self, files):
        records = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        batches = records.batch(self.batch_size, True)
        batches = batches.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return batches.prefetch(tf.data.AUTOTUNE)

    @tf.function
    def test_step(self, x, y):
        self.accuracy.update_state(y, self.model(x, training=False))

    def score(self, files):
        self.accuracy.reset_state()
        for x, y in self.test_data(files):
            self.test_step(x, y)
        return float(self.accuracy.result())


model = tf.keras.models.load_model("/models/tabular.keras")
print(Evaluator(model).score(tf.io.gfile.glob("/data/tabular/test-*.tfrecord")))
