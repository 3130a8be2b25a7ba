import horovod.tensorflow as hvd
import tensorflow as tf


class SpectrogramReader:
    def __init__(self, pattern, batch_size):
        self.pattern = pattern
        self.batch_size = batch_size

    def build(self):
        ds = self._files()
        ds = ds.interleave(self._records, cycle_length=4, num_parallel_calls=4)
        ds = ds.shuffle(5000)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(2)

    @staticmethod
    def _parse(records):
        ex = tf.io.parse_example(records, {
            "mel": tf.io.FixedLenFeature([80 * 400], tf.float32),
            "speaker": tf.io.FixedLenFeature([], tf.int64),
        })
        return tf.reshape(ex["mel"], [-1, 400, 80]), ex["speaker"]

    def _records(self, path):
        return tf.data.TFRecordDataset(path, buffer_size=8 << 20)

    def _files(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        return files.shard(hvd.size(), hvd.rank())


@tf.function
def train_step(model, opt, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(
            y, model(x, training=True), from_logits=True))
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def main():
    hvd.init()
    data = SpectrogramReader("/data/voxceleb/train-*.tfrecord", 128).build()
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(256, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(7205),
    ])
    opt = tf.keras.optimizers.Adam(1e-3)
    for epoch in range(20):
        for x, y in data:
            loss = train_step(model, opt, x, y)
        if hvd.rank() == 0:
            print(epoch, float(loss))


if __name__ == "__main__":
    main()
