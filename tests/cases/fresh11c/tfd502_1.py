import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("records", "/data/clicks/*.tfrecord", "Input files.")
flags.DEFINE_string("logdir", "/tmp/logs", "Where the profile goes.")
flags.DEFINE_integer("steps", 5000, "Training steps.")

SPEC = {"x": tf.io.FixedLenFeature([128], tf.float32),
        "y": tf.io.FixedLenFeature([1], tf.float32)}


def dataset():
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(FLAGS.records),
                                 num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).repeat().batch(1024, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, SPEC),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.Sequential([tf.keras.Input((128,)),
                                 tf.keras.layers.Dense(256, activation="relu"),
                                 tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def train_step(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch["x"], training=True) - batch["y"]))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

    iterator = iter(dataset())
    for step in range(FLAGS.steps):
        if step == 100:
            tf.profiler.experimental.start(FLAGS.logdir)
        with tf.profiler.experimental.Trace("train"):
            train_step(next(iterator))
        if step == 108:
            tf.profiler.experimental.stop()


if __name__ == "__main__":
    app.run(main)
