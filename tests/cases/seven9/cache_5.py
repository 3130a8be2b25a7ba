"""LUNA16 nodule false-positive reduction, custom training loop."""
import os
import tensorflow as tf

DATA = os.environ.get('LUNA', '/data/luna16/tfrecords')
CUBE = 64
BATCH = 16


def parse(record):
    f = tf.io.parse_single_example(record, {
        'hu': tf.io.FixedLenFeature([], tf.string),
        'dims': tf.io.FixedLenFeature([3], tf.int64),
        'nodule': tf.io.FixedLenFeature([], tf.int64)})
    hu = tf.reshape(tf.io.decode_raw(f['hu'], tf.int16), f['dims'])
    return hu, tf.cast(f['nodule'], tf.float32)


def smooth(vol):
    ax = tf.range(-4.0, 5.0)
    k = tf.exp(-0.5 * tf.square(ax / 1.5))
    k /= tf.reduce_sum(k)
    vol = vol[None, ..., None]
    for shape in ((9, 1, 1), (1, 9, 1), (1, 1, 9)):
        vol = tf.nn.conv3d(vol, tf.reshape(k, shape + (1, 1)),
                           [1, 1, 1, 1, 1], 'SAME')
    return vol[0, ..., 0]


def resample(hu, label):
    """Isotropic resampling + denoising; the same result each time."""
    vol = tf.clip_by_value(tf.cast(hu, tf.float32), -1000.0, 400.0)
    vol = smooth((vol + 1000.0) / 1400.0)
    vol = tf.image.resize(vol, (CUBE + 8, CUBE + 8), method='bicubic')
    vol = tf.transpose(vol, (2, 0, 1))
    vol = tf.image.resize(vol, (CUBE + 8, CUBE + 8), method='bicubic')
    return vol[..., None], label


def jitter(vol, label):
    vol = tf.image.random_crop(vol, (CUBE, CUBE, CUBE, 1))
    return vol + tf.random.normal(tf.shape(vol), stddev=0.01), label


def candidates(split):
    files = tf.io.gfile.glob(os.path.join(DATA, split + '-*'))
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).cache()
    ds = ds.map(resample, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(512).map(jitter, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


net = tf.keras.Sequential([
    tf.keras.layers.Input((CUBE, CUBE, CUBE, 1)),
    tf.keras.layers.Conv3D(32, 5, activation='relu'),
    tf.keras.layers.MaxPool3D(),
    tf.keras.layers.Conv3D(64, 3, activation='relu'),
    tf.keras.layers.MaxPool3D(),
    tf.keras.layers.Conv3D(128, 3, activation='relu'),
    tf.keras.layers.GlobalAveragePooling3D(),
    tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-4)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = bce(y[:, None], net(x, training=True))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


train_ds = candidates('train')
for epoch in range(100):
    mean = tf.keras.metrics.Mean()
    for x, y in train_ds:
        mean.update_state(train_step(x, y))
    print('epoch %d loss %.4f' % (epoch, mean.result()))
