import tensorflow as tf


class SpectrogramTask:
    def __init__(self, root, batch=32):
        self.root = root
        self.batch = batch
        self.model = tf.keras.Sequential([
            tf.keras.layers.Conv1D(64, 5, activation="relu"),
            tf.keras.layers.GlobalMaxPooling1D(),
            tf.keras.layers.Dense(50),
        ])
        self.optim = tf.keras.optimizers.Adam()

    @staticmethod
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "wav": tf.io.FixedLenFeature([], tf.string),
            "y": tf.io.FixedLenFeature([], tf.int64)})
        wave, _ = tf.audio.decode_wav(ex["wav"], 1, 80000)
        return tf.abs(tf.signal.stft(wave[:, 0], 1024, 512)), ex["y"]

    def finish(self, ds):
        return ds.batch(self.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def dataset(self):
        files = tf.data.Dataset.list_files(self.root + "/esc-*.tfrecord", shuffle=True)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(2000).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.apply(self.finish)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as t:
            logits = self.model(x, training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        v = self.model.trainable_variables
        self.optim.apply_gradients(zip(t.gradient(loss, v), v))
        return loss

    def train(self, epochs):
        data = self.dataset()
        for e in range(epochs):
            loss = 0.0
            for x, y in data:
                loss = self.step(x, y)
            print(e, float(loss))


SpectrogramTask("/data/esc50").train(20)
