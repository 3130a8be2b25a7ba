"""Denoising autoencoder with a profile of ten steps."""
import tensorflow as tf
import keras

LOGDIR = "/logs/denoise"
PROFILE = (200, 209)


def decode(record):
    ex = tf.io.parse_single_example(record, {"png": tf.io.FixedLenFeature([], tf.string)})
    image = tf.io.decode_png(ex["png"], channels=1)
    image = tf.image.random_crop(image, (128, 128, 1))
    clean = tf.cast(image, tf.float32) / 255.0
    return clean + tf.random.normal(tf.shape(clean), stddev=0.1), clean


def dataset(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).repeat()
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


model = keras.Sequential([
    keras.Input((128, 128, 1)),
    keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    keras.layers.Conv2D(1, 3, padding="same"),
])
optimizer = keras.optimizers.Adam(1e-4)


@tf.function
def train_step(noisy, clean):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(noisy, training=True) - clean))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply(grads, model.trainable_variables)
    return loss


train = dataset("/data/scans/train-*.tfrecord", 64)
for step, (noisy, clean) in enumerate(train.take(50_000)):
    if step == PROFILE[0]:
        tf.profiler.experimental.start(LOGDIR)
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        loss = train_step(noisy, clean)
    if step == PROFILE[1]:
        tf.profiler.experimental.stop()
    if step % 1000 == 0:
        print(step, float(loss))
