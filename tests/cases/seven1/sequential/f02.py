import dataclasses

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class InputConfig:
    pattern: str
    batch_size: int = 256
    shuffle_buffer: int = 16384
    map_threads: int = 1


def parse_fn(serialized):
    feats = tf.io.parse_single_example(serialized, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_and_crop_jpeg(feats["jpeg"], [0, 0, 224, 224], channels=3)
    return tf.image.convert_image_dtype(image, tf.float32), feats["label"]


def input_fn(cfg: InputConfig):
    ds = tf.data.Dataset.list_files(cfg.pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(cfg.shuffle_buffer)
    ds = ds.map(parse_fn, num_parallel_calls=cfg.map_threads)
    ds = ds.batch(cfg.batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    dataset = input_fn(InputConfig(pattern="gs://imagenet-tfr/train-*"))
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(dataset, epochs=90)
