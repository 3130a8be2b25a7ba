"""Earthquake phase picking (PhaseNet) on STEAD waveforms."""
import dataclasses
import tensorflow as tf


@dataclasses.dataclass
class Conf:
    pattern: str = '/data/stead/train-*.tfrecord'
    window: int = 3000
    length: int = 6000
    batch_size: int = 200
    epochs: int = 50


def parse(record, conf):
    ex = tf.io.parse_single_example(record, {
        'wave': tf.io.FixedLenFeature([conf.length, 3], tf.float32),
        'prob': tf.io.FixedLenFeature([conf.length, 3], tf.float32)})
    both = tf.concat([ex['wave'], ex['prob']], axis=1)
    both = tf.image.random_crop(both, [conf.window, 6])
    return both[:, :3], both[:, 3:]


def demean(wave, prob):
    wave = wave - tf.reduce_mean(wave)
    wave = wave / (tf.reduce_max(tf.abs(wave)) + 1e-8)
    return wave, prob


def waveform_dataset(conf):
    ds = tf.data.Dataset.list_files(conf.pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                       num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20000)
    ds = ds.map(lambda r: parse(r, conf), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(demean, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(conf.batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def phasenet(conf):
    L = tf.keras.layers
    inp = L.Input((conf.window, 3))
    x = L.Conv1D(8, 7, padding='same', activation='relu')(inp)
    x = L.Conv1D(16, 7, strides=4, padding='same', activation='relu')(x)
    x = L.Conv1D(32, 7, strides=2, padding='same', activation='relu')(x)
    x = L.Conv1D(32, 7, padding='same', activation='relu')(x)
    x = L.Conv1DTranspose(16, 7, strides=2, padding='same', activation='relu')(x)
    x = L.Conv1DTranspose(8, 7, strides=4, padding='same', activation='relu')(x)
    return tf.keras.Model(inp, L.Conv1D(3, 1, activation='softmax')(x))


def main():
    conf = Conf()
    model = phasenet(conf)
    model.compile('adam', 'categorical_crossentropy')
    model.fit(waveform_dataset(conf), epochs=conf.epochs)


if __name__ == '__main__':
    main()
