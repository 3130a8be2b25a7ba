"""Read-aloud speech commands, trained with a custom loop."""
import tensorflow as tf


class TaskData:
    batch_size = 256

    def __init__(self, pattern):
        self.pattern = pattern

    def source(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        return files.interleave(
            tf.data.TFRecordDataset,
            cycle_length=16,
            num_parallel_calls=tf.data.AUTOTUNE,
            deterministic=False,
        )

    def decode(self, record):
        raise NotImplementedError

    def finalize(self, ds):
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def build(self):
        ds = self.source().shuffle(20_000)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return self.finalize(ds)


class SpeechCommands(TaskData):
    spec = {
        "wav": tf.io.FixedLenFeature([], tf.string),
        "command": tf.io.FixedLenFeature([], tf.int64),
    }

    def decode(self, record):
        row = tf.io.parse_single_example(record, self.spec)
        audio, _ = tf.audio.decode_wav(row["wav"], 1, 16_000)
        stft = tf.signal.stft(tf.squeeze(audio, -1), 512, 160)
        return tf.math.log(tf.abs(stft) + 1e-6), row["command"]

    def finalize(self, ds):
        options = tf.data.Options()
        options.experimental_deterministic = False
        return ds.batch(self.batch_size, drop_remainder=True).with_options(options)


model = tf.keras.Sequential([
    tf.keras.layers.GRU(192, return_sequences=True),
    tf.keras.layers.GRU(192),
    tf.keras.layers.Dense(35),
])
optimizer = tf.keras.optimizers.Adam(3e-4)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


if __name__ == "__main__":
    train = SpeechCommands("/data/speech/train-*.tfrecord").build()
    for epoch in range(40):
        mean = tf.keras.metrics.Mean()
        for x, y in train:
            mean.update_state(train_step(x, y))
        print(epoch, float(mean.result()))
