"""Policy/value network trained from Go self-play records (Minigo style)."""
import os
import tensorflow as tf

N = 19
PLANES = 17


def parallel_files(filenames, reader, cycle=4, workers=None):
    """Mix records of several shards."""
    files = tf.data.Dataset.from_tensor_slices(filenames)
    return files.interleave(reader, cycle_length=cycle, block_length=1,
                            num_parallel_calls=workers)


class SelfPlayInput:
    """Input for one generation of training."""

    def __init__(self, golden_dir, window=50, batch_size=2048):
        self.golden_dir = golden_dir
        self.window = window
        self.batch_size = batch_size

    def _shards(self):
        gens = sorted(tf.io.gfile.listdir(self.golden_dir))[-self.window:]
        out = []
        for g in gens:
            out.extend(tf.io.gfile.glob(
                os.path.join(self.golden_dir, g, '*.tfrecord.zz')))
        return out

    @staticmethod
    def _reader(path):
        ds = tf.data.TFRecordDataset(path, compression_type='ZLIB')
        return ds.shuffle(8192)

    @staticmethod
    def _parse(batch):
        f = tf.io.parse_example(batch, {
            'x': tf.io.FixedLenFeature([], tf.string),
            'pi': tf.io.FixedLenFeature([], tf.string),
            'outcome': tf.io.FixedLenFeature([], tf.float32)})
        x = tf.reshape(tf.io.decode_raw(f['x'], tf.uint8), (-1, N, N, PLANES))
        pi = tf.reshape(tf.io.decode_raw(f['pi'], tf.float32), (-1, N * N + 1))
        return tf.cast(x, tf.float32), {'policy': pi, 'value': f['outcome']}

    def build(self):
        ds = parallel_files(self._shards(), self._reader, cycle=64)
        ds = ds.repeat(1).shuffle(100000)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def residual_tower(filters=256, blocks=19):
    L = tf.keras.layers
    inp = L.Input((N, N, PLANES))
    x = L.ReLU()(L.BatchNormalization()(L.Conv2D(filters, 3, padding='same')(inp)))
    for _ in range(blocks):
        y = L.ReLU()(L.BatchNormalization()(L.Conv2D(filters, 3, padding='same')(x)))
        y = L.BatchNormalization()(L.Conv2D(filters, 3, padding='same')(y))
        x = L.ReLU()(L.Add()([x, y]))
    policy = L.Dense(N * N + 1, activation='softmax', name='policy')(L.Flatten()(x))
    value = L.Dense(1, activation='tanh', name='value')(L.Flatten()(x))
    return tf.keras.Model(inp, [policy, value])


def main():
    net = residual_tower()
    net.compile(tf.keras.optimizers.SGD(0.01, momentum=0.9),
                {'policy': 'categorical_crossentropy', 'value': 'mse'})
    data = SelfPlayInput('gs://minigo/v17/selfplay').build()
    net.fit(data, epochs=1, steps_per_epoch=10000)


if __name__ == '__main__':
    main()
