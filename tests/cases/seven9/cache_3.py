"""Behaviour cloning for a driving robot: camera frames -> steering."""
import dataclasses
import math
import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Cfg:
    records: str = '/data/driving/train-*.tfrecord'
    cache_file: str = '/ssd/cache/driving'
    height: int = 160
    width: int = 320
    batch: int = 128
    epochs: int = 60


class DrivingPipeline:
    def __init__(self, cfg):
        self.cfg = cfg
        self._ds = None

    def from_records(self):
        files = tf.data.Dataset.list_files(self.cfg.records)
        self._ds = files.interleave(tf.data.TFRecordDataset,
                                    num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def cached(self):
        self._ds = self._ds.cache(self.cfg.cache_file)
        return self

    def preprocessed(self):
        self._ds = self._ds.map(self._frame,
                                num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def shuffled(self, n=10000):
        self._ds = self._ds.shuffle(n)
        return self

    def batched(self):
        self._ds = self._ds.batch(self.cfg.batch).prefetch(tf.data.AUTOTUNE)
        return self

    def build(self):
        return self._ds

    def _frame(self, record):
        ex = tf.io.parse_single_example(record, {
            'frame': tf.io.FixedLenFeature([], tf.string),
            'steer': tf.io.FixedLenFeature([], tf.float32)})
        img = tf.io.decode_png(ex['frame'], channels=3)
        img = tf.image.crop_to_bounding_box(img, 240, 0, 480, 1280)
        img = tf.image.resize(img, (self.cfg.height, self.cfg.width),
                              method=tf.image.ResizeMethod.LANCZOS3)
        yuv = tf.image.rgb_to_yuv(img / 255.0)
        return yuv, ex['steer'] * 180.0 / math.pi


def pilotnet(cfg):
    L = tf.keras.layers
    return tf.keras.Sequential([
        L.Input((cfg.height, cfg.width, 3)),
        L.Conv2D(24, 5, 2, activation='elu'),
        L.Conv2D(36, 5, 2, activation='elu'),
        L.Conv2D(48, 5, 2, activation='elu'),
        L.Conv2D(64, 3, activation='elu'),
        L.Flatten(),
        L.Dense(100, activation='elu'),
        L.Dense(1)])


if __name__ == '__main__':
    cfg = Cfg()
    data = (DrivingPipeline(cfg)
            .from_records()
            .cached()
            .preprocessed()
            .shuffled()
            .batched()
            .build())
    model = pilotnet(cfg)
    model.compile('adam', 'mse')
    model.fit(data, epochs=cfg.epochs)
