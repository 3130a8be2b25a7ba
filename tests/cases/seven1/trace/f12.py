import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
SPEC = {
    "image": tf.io.FixedLenFeature([64 * 64 * 3], tf.float32),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized):
    ex = tf.io.parse_example(serialized, SPEC)
    ex["image"] = tf.reshape(ex["image"], (-1, 64, 64, 3))
    return ex


def source(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE, deterministic=False)
    ds = ds.shuffle(10_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=AUTOTUNE)


labelled = source("/data/labelled-*.tfrecord", 64)
unlabelled = source("/data/unlabelled-*.tfrecord", 448)
both = tf.data.Dataset.zip((labelled, unlabelled)).take(1000).enumerate().prefetch(AUTOTUNE)

model = tf.keras.applications.MobileNetV2(weights=None, input_shape=(64, 64, 3), classes=10)
optimizer = tf.keras.optimizers.SGD(0.03, momentum=0.9)
ce = tf.keras.losses.SparseCategoricalCrossentropy()
writer = tf.summary.create_file_writer("/tmp/fixmatch")


@tf.function
def train_step(sup, unsup):
    pseudo = tf.argmax(model(unsup["image"], training=False), axis=-1)
    with tf.GradientTape() as tape:
        loss = ce(sup["label"], model(sup["image"], training=True))
        loss += ce(pseudo, model(unsup["image"], training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


tf.profiler.experimental.start("/tmp/fixmatch")
for step, (sup, unsup) in both:
    with writer.as_default(step=step), tf.profiler.experimental.Trace("train", step_num=step.numpy(), _r=1):
        tf.summary.scalar("loss", train_step(sup, unsup))
tf.profiler.experimental.stop()
