"""Audio tagging loop with a small profiler session class."""
import tensorflow as tf


class ProfilerSession:
    def __init__(self, logdir, enabled=True):
        self.logdir, self.enabled = logdir, enabled

    def __enter__(self):
        if self.enabled:
            tf.profiler.experimental.start(
                self.logdir, options=tf.profiler.experimental.ProfilerOptions(host_tracer_level=2))
        return self

    def __exit__(self, kind, value, tb):
        if self.enabled:
            tf.profiler.experimental.stop()
        return False


def clips(pattern, batch):
    def parse(raw):
        ex = tf.io.parse_single_example(raw, {"mel": tf.io.FixedLenFeature([998, 64], tf.float32),
                                              "tags": tf.io.FixedLenFeature([527], tf.float32)})
        return ex["mel"], ex["tags"]

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Input((998, 64)),
    tf.keras.layers.Conv1D(256, 9, strides=4, activation="relu"),
    tf.keras.layers.Conv1D(256, 9, strides=4, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(527),
])
optimizer = tf.keras.optimizers.Adam(5e-4)


@tf.function
def train_step(mel, tags):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(tags, model(mel, training=True)))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def main(steps=40_000, logdir="/logs/audioset"):
    batches = iter(clips("/data/audioset/train-*.tfrecord", 128))
    for step in range(100):
        train_step(*next(batches))
    with ProfilerSession(logdir):
        for step in range(100, 106):
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                train_step(*next(batches))
    for step in range(106, steps):
        loss = train_step(*next(batches))
        if step % 1000 == 0:
            tf.print(step, loss)


if __name__ == "__main__":
    main()
