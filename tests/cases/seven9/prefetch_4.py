"""3-D U-Net for liver CT segmentation (LiTS), volumes stored as TFRecords."""
import glob
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

PATCH = (128, 128, 64)
EPOCHS = 500
BATCH = 4


def _features():
    return {'ct': tf.io.FixedLenFeature([], tf.string),
            'seg': tf.io.FixedLenFeature([], tf.string),
            'shape': tf.io.FixedLenFeature([3], tf.int64)}


def read_volume(proto):
    rec = tf.io.parse_single_example(proto, _features())
    ct = tf.reshape(tf.io.decode_raw(rec['ct'], tf.int16), rec['shape'])
    seg = tf.reshape(tf.io.decode_raw(rec['seg'], tf.uint8), rec['shape'])
    ct = tf.clip_by_value(tf.cast(ct, tf.float32), -200.0, 250.0) / 250.0
    return ct, seg


def random_patch(ct, seg):
    both = tf.stack([ct, tf.cast(seg, tf.float32)], axis=-1)
    both = tf.image.random_flip_left_right(both)
    both = tf.image.random_crop(both, PATCH + (2,))
    return both[..., :1], both[..., 1:]


def pipeline_options():
    opts = tf.data.Options()
    opts.deterministic = False
    opts.experimental_optimization.inject_prefetch = False
    opts.threading.private_threadpool_size = 24
    return opts


def train_pipeline(paths):
    return (tf.data.Dataset.from_tensor_slices(paths)
            .shuffle(len(paths))
            .interleave(lambda p: tf.data.TFRecordDataset(p, 'GZIP'),
                        cycle_length=8,
                        num_parallel_calls=tf.data.AUTOTUNE)
            .map(read_volume, num_parallel_calls=tf.data.AUTOTUNE)
            .map(random_patch, num_parallel_calls=tf.data.AUTOTUNE)
            .repeat()
            .batch(BATCH, drop_remainder=True)
            .with_options(pipeline_options()))


def conv_block(x, f):
    for _ in range(2):
        x = layers.Conv3D(f, 3, padding='same')(x)
        x = layers.BatchNormalization()(x)
        x = layers.ReLU()(x)
    return x


def unet3d():
    inp = keras.Input(PATCH + (1,))
    skips, x = [], inp
    for f in (32, 64, 128):
        x = conv_block(x, f)
        skips.append(x)
        x = layers.MaxPool3D()(x)
    x = conv_block(x, 256)
    for f, s in zip((128, 64, 32), reversed(skips)):
        x = layers.UpSampling3D()(x)
        x = conv_block(layers.Concatenate()([x, s]), f)
    return keras.Model(inp, layers.Conv3D(1, 1, activation='sigmoid')(x))


volumes = sorted(glob.glob('/data/lits/train/*.tfrecord.gz'))
model = unet3d()
model.compile(keras.optimizers.Adam(1e-4), 'binary_crossentropy')
model.fit(train_pipeline(volumes), epochs=EPOCHS, steps_per_epoch=250)
model.save('lits_unet3d.keras')
