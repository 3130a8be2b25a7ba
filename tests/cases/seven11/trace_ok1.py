import tensorflow as tf
import tensorflow_datasets as tfds
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_integer("steps", 30_000, "")
flags.DEFINE_string("logdir", "/tmp/stl10/tb", "")


def pipeline(batch):
    def prepare(images, labels):
        return tf.cast(images, tf.float32) / 127.5 - 1.0, labels

    ds = tfds.load("stl10", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.cache().shuffle(5000).repeat().batch(batch, drop_remainder=True)
    return ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.applications.MobileNetV2(
        weights=None, classes=10, input_shape=(96, 96, 3), classifier_activation=None
    )
    opt = tf.keras.optimizers.Adam(1e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    it = iter(pipeline(128))
    for step in range(FLAGS.steps):
        if step == 200:
            tf.profiler.experimental.start(FLAGS.logdir)
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            x, y = next(it)
            loss = train_step(x, y)
        if step == 220:
            tf.profiler.experimental.stop()
        if step % 1000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    app.run(main)
