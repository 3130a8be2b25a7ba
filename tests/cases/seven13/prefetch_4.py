"""Task-style segmentation experiment (input reader configured by a dataclass)."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class DataConfig:
    input_path: str = "gs://seg-data/cityscapes/train-*.tfrecord"
    global_batch_size: int = 32
    crop: int = 512
    shuffle_buffer: int = 1000
    prefetch_buffer: int = 0


@dataclasses.dataclass
class TaskConfig:
    train: DataConfig = dataclasses.field(default_factory=DataConfig)
    classes: int = 19
    steps: int = 90_000


class SegmentationTask:
    def __init__(self, config):
        self.config = config

    def _decode(self, raw):
        ex = tf.io.parse_single_example(raw, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "mask": tf.io.FixedLenFeature([], tf.string),
        })
        image = tf.io.decode_png(ex["image"], 3)
        mask = tf.io.decode_png(ex["mask"], 1)
        crop = self.config.train.crop
        both = tf.image.random_crop(tf.concat([image, mask], -1), [crop, crop, 4])
        return tf.cast(both[..., :3], tf.float32), tf.cast(both[..., 3], tf.int32)

    def build_inputs(self, params):
        ds = tf.data.Dataset.list_files(params.input_path)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                           num_parallel_calls=tf.data.experimental.AUTOTUNE)
        ds = ds.shuffle(params.shuffle_buffer).repeat()
        ds = ds.map(self._decode, num_parallel_calls=tf.data.experimental.AUTOTUNE)
        ds = ds.batch(params.global_batch_size, drop_remainder=True)
        if params.prefetch_buffer:
            ds = ds.prefetch(params.prefetch_buffer)
        return ds

    def build_model(self):
        inp = tf.keras.Input([None, None, 3])
        feats = tf.keras.applications.MobileNetV2(input_tensor=inp, include_top=False).output
        x = tf.keras.layers.Conv2D(self.config.classes, 1)(feats)
        x = tf.keras.layers.UpSampling2D(32, interpolation="bilinear")(x)
        return tf.keras.Model(inp, x)


def run_experiment():
    task = SegmentationTask(TaskConfig())
    model = task.build_model()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    inputs = task.build_inputs(task.config.train)
    model.fit(inputs, steps_per_epoch=1000, epochs=task.config.steps // 1000)


if __name__ == "__main__":
    run_experiment()
