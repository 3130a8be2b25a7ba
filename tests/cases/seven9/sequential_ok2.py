"""Electricity load forecasting with an LSTM, smart-meter shards."""
import tensorflow as tf


class MeterData:
    WORKERS = tf.data.AUTOTUNE
    HISTORY, HORIZON = 336, 48

    def __init__(self, train_pattern, val_files):
        self.train_pattern = train_pattern
        self.val_files = val_files

    def _parse(self, batch):
        n = self.HISTORY + self.HORIZON
        out = tf.io.parse_example(
            batch, {'load': tf.io.FixedLenFeature([n], tf.float32)})['load']
        mean = tf.reduce_mean(out[:, :self.HISTORY], axis=1, keepdims=True)
        out = out / (mean + 1e-3)
        return out[:, :self.HISTORY, None], out[:, self.HISTORY:]

    def _tail(self, ds, batch):
        ds = ds.batch(batch, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=self.WORKERS)
        return ds.prefetch(self.WORKERS)

    def train(self, batch=1024):
        files = tf.data.Dataset.list_files(self.train_pattern)
        records = files.interleave(
            lambda f: tf.data.TFRecordDataset(f, compression_type='GZIP'),
            cycle_length=16,
            block_length=32,
            num_parallel_calls=self.WORKERS,
        )
        return self._tail(records.shuffle(100000), batch)

    def val(self, batch=4096):
        records = tf.data.TFRecordDataset(
            self.val_files, compression_type='GZIP', num_parallel_reads=8)
        return self._tail(records, batch)


def seq_model():
    return tf.keras.Sequential([
        tf.keras.layers.LSTM(256, return_sequences=True,
                             input_shape=(MeterData.HISTORY, 1)),
        tf.keras.layers.LSTM(256),
        tf.keras.layers.Dense(MeterData.HORIZON)])


if __name__ == '__main__':
    data = MeterData('/data/meters/train-*.gz',
                     ['/data/meters/val-%02d.gz' % i for i in range(16)])
    model = seq_model()
    model.compile('adam', 'mae')
    model.fit(data.train(), validation_data=data.val(), epochs=25)
