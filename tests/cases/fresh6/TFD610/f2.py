import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "id": tf.io.FixedLenFeature([], tf.string)}


class Scorer:
    def __init__(self, path, pattern):
        self.model = tf.keras.models.load_model(path)
        self.files = sorted(tf.io.gfile.glob(pattern))

    def dataset(self):
        ds = tf.data.TFRecordDataset(self.files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.batch(1024)
        ds = ds.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    def write(self, target):
        batches = iter(self.dataset())
        with open(target, "w") as out:
            while True:
                batch = next(batches, None)
                if batch is None:
                    break
                scores = self.model.predict(batch["x"], batch_size=1024, verbose=0)
                for name, score in zip(batch["id"].numpy(), scores):
                    out.write(f"{name.decode()},{score.argmax()}\n")


Scorer("/models/ads.keras", "/data/ads/new-*.tfrecord").write("scores.csv")
