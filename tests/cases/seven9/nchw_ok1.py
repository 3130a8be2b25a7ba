"""Spectrogram CNN for instrument recognition, layout is a config option."""
import dataclasses
import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    data_format: str = 'channels_last'
    width: int = 64
    classes: int = 11


class ConvStack:
    """Conv blocks that honour `data_format` ('channels_last' or other)."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.bn_axis = -1 if cfg.data_format == 'channels_last' else 1

    def block(self, x, filters):
        fmt = self.cfg.data_format
        x = tf.keras.layers.Conv2D(filters, 3, padding='same', use_bias=False,
                                   data_format=fmt)(x)
        x = tf.keras.layers.BatchNormalization(axis=self.bn_axis)(x)
        x = tf.keras.layers.ReLU()(x)
        return tf.keras.layers.MaxPool2D(data_format=fmt)(x)

    def build(self):
        inp = tf.keras.Input((128, 128, 1))
        x = inp
        for mult in (1, 2, 4, 8):
            x = self.block(x, self.cfg.width * mult)
        x = tf.keras.layers.GlobalAveragePooling2D(
            data_format=self.cfg.data_format)(x)
        return tf.keras.Model(
            inp, tf.keras.layers.Dense(self.cfg.classes, 'sigmoid')(x))


def to_logmel(record):
    ex = tf.io.parse_single_example(record, {
        'pcm': tf.io.FixedLenFeature([65536], tf.float32),
        'tags': tf.io.FixedLenFeature([11], tf.float32)})
    start = tf.random.uniform([], 0, 16384, tf.int32)
    pcm = ex['pcm'][start:start + 49152]
    spec = tf.abs(tf.signal.stft(pcm, 1024, 384))[:, :512]
    img = tf.image.resize(tf.math.log(spec + 1e-6)[..., None], (128, 128))
    return tf.transpose(img, (1, 0, 2)), ex['tags']


def irmas(pattern, batch):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=4,
                       num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(6000)
    ds = ds.map(to_logmel, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == '__main__':
    model = ConvStack(ModelConfig()).build()
    model.compile('adam', 'binary_crossentropy',
                  metrics=[tf.keras.metrics.AUC(multi_label=True)])
    model.fit(irmas('/data/irmas/train-*.tfrecord', 64), epochs=80)
