from dataclasses import dataclass

import tensorflow as tf


@dataclass
class DataConfig:
    pattern: str = "gs://corp-data/imagenet/train-*"
    batch_size: int = 1024
    deterministic: bool = False
    threads: int = 48


def make_options(cfg: DataConfig) -> tf.data.Options:
    options = tf.data.Options()
    options.deterministic = cfg.deterministic
    options.threading.private_threadpool_size = cfg.threads
    return options


class ImageNetInput:
    def __init__(self, cfg):
        self.cfg = cfg
        self.options = make_options(cfg)

    def parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "image/encoded": tf.io.FixedLenFeature([], tf.string),
            "image/class/label": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
        return tf.image.resize(img, (224, 224)) / 255.0, ex["image/class/label"] - 1

    def __call__(self):
        files = tf.data.Dataset.list_files(self.cfg.pattern, shuffle=True)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                              num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(8192).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None)
        model.compile("sgd", "sparse_categorical_crossentropy")
    train = ImageNetInput(DataConfig())()
    model.fit(train, epochs=90)


if __name__ == "__main__":
    main()
