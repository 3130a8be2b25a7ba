from absl import app, flags
import tensorflow as tf
import tensorflow_datasets as tfds

FLAGS = flags.FLAGS
flags.DEFINE_string("logdir", "/tmp/logs", "Where profiles go.")
flags.DEFINE_integer("steps", 20_000, "Training steps.")
flags.DEFINE_integer("profile_start", 100, "First profiled step.")
flags.DEFINE_integer("profile_steps", 200, "Number of profiled steps.")


def get_data():
    ds = tfds.load("cifar10", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.cache().shuffle(50_000).repeat().batch(256, drop_remainder=True)
    ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.applications.ResNet50V2(
        weights=None, input_shape=(32, 32, 3), classes=10, classifier_activation=None)
    optimizer = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

    iterator = iter(get_data())
    stop_at = FLAGS.profile_start + FLAGS.profile_steps
    for step in range(FLAGS.steps):
        if step == FLAGS.profile_start:
            tf.profiler.experimental.start(FLAGS.logdir)
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(*next(iterator))
        if step == stop_at:
            tf.profiler.experimental.stop()


if __name__ == "__main__":
    app.run(main)
