from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("pattern", "/data/openimages/train-*", "records")
flags.DEFINE_string("logdir", "/logs/oi", "TensorBoard directory")
flags.DEFINE_integer("steps", 100_000, "training steps")
flags.DEFINE_integer("profile_start", 500, "first profiled step")


def example(raw):
    ex = tf.io.parse_single_example(raw, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "labels": tf.io.FixedLenFeature([601], tf.float32)})
    image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    image = tf.image.random_crop(tf.image.resize(image, (272, 272)), (240, 240, 3))
    return image, ex["labels"]


def records():
    ds = tf.data.Dataset.list_files(FLAGS.pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(10_000).repeat()
    ds = ds.map(example, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.applications.EfficientNetV2B1(weights=None, classes=601, classifier_activation=None)
    optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def train_step(images, labels):
        with tf.GradientTape() as tape:
            logits = model(images, training=True)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, logits))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    iterator = iter(records())
    for step in range(FLAGS.steps):
        if step == FLAGS.profile_start:
            tf.profiler.experimental.start(FLAGS.logdir)
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            images, labels = next(iterator)
            loss = train_step(images, labels)
        if step == FLAGS.profile_start + 8:
            tf.profiler.experimental.stop()
        if step % 1000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    app.run(main)
