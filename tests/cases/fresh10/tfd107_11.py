"""Train a chest X-ray classifier from TFRecord shards (NIH-14 style multi-label)."""
import dataclasses
import glob
import os

import tensorflow as tf


@dataclasses.dataclass
class DataConfig:
    root: str = "/data/nih14/tfrecords"
    image_size: int = 384
    batch_size: int = 48
    shuffle_buffer: int = 4096
    prefetch_batches: int = 64
    num_labels: int = 14


class XrayPipeline:
    def __init__(self, cfg: DataConfig):
        self.cfg = cfg
        self.spec = {
            "image": tf.io.FixedLenFeature([], tf.string),
            "labels": tf.io.FixedLenFeature([cfg.num_labels], tf.float32),
        }

    def _decode(self, raw):
        ex = tf.io.parse_single_example(raw, self.spec)
        img = tf.io.decode_jpeg(ex["image"], channels=3)
        img = tf.image.resize(img, [self.cfg.image_size] * 2)
        return img / 255.0, ex["labels"]

    def build(self, split):
        files = sorted(glob.glob(os.path.join(self.cfg.root, f"{split}-*.tfrecord")))
        ds = tf.data.Dataset.from_tensor_slices(files)
        if split == "train":
            ds = ds.shuffle(len(files))
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                           num_parallel_calls=tf.data.AUTOTUNE)
        if split == "train":
            ds = ds.shuffle(self.cfg.shuffle_buffer)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        return self._finish(ds)

    def _finish(self, ds):
        ds = ds.batch(self.cfg.batch_size, drop_remainder=True)
        return ds.prefetch(self.cfg.prefetch_batches)


def main():
    cfg = DataConfig()
    pipe = XrayPipeline(cfg)
    base = tf.keras.applications.DenseNet121(
        include_top=False, pooling="avg",
        input_shape=(cfg.image_size, cfg.image_size, 3))
    out = tf.keras.layers.Dense(cfg.num_labels, activation="sigmoid")(base.output)
    model = tf.keras.Model(base.input, out)
    model.compile("adam", "binary_crossentropy",
                  metrics=[tf.keras.metrics.AUC(multi_label=True)])
    model.fit(pipe.build("train"), validation_data=pipe.build("val"), epochs=20)


if __name__ == "__main__":
    main()
