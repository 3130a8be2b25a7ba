from absl import app, flags
import tensorflow as tf
from tensorflow.python.profiler import profiler_v2 as profiler

FLAGS = flags.FLAGS
flags.DEFINE_bool("profile", True, "Whether to record a profile.")
flags.DEFINE_string("logdir", "/tmp/logs", "Log directory.")
flags.DEFINE_string("pattern", "/data/ads/part-*.tfrecord", "Input files.")


def parse(records):
    parsed = tf.io.parse_example(records, {
        "dense": tf.io.FixedLenFeature([13], tf.float32),
        "label": tf.io.FixedLenFeature([], tf.float32),
    })
    return parsed["dense"], parsed["label"]


def input_fn():
    ds = tf.data.Dataset.list_files(FLAGS.pattern, shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).batch(8192, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(512, activation="relu"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adagrad(0.01)
    loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y[:, None], model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

    if FLAGS.profile:
        profiler.warmup()
    for step, (x, y) in enumerate(input_fn()):
        if FLAGS.profile and step == 100:
            profiler.start(FLAGS.logdir)
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(x, y)
        if step == 109:
            break
    model.save(f"{FLAGS.logdir}/model.keras")


if __name__ == "__main__":
    app.run(main)
