import tensorflow as tf

from config import DataConfig

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class": tf.io.FixedLenFeature([], tf.int64),
}


def parse_record(record, image_shape):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(example["image/encoded"], channels=3)
    image = tf.image.resize(image, image_shape, antialias=True)
    return image / 127.5 - 1.0, example["image/class"]


def build_dataset(config: DataConfig, split: str) -> tf.data.Dataset:
    files = tf.io.gfile.glob(config.pattern.format(split=split))
    dataset = tf.data.Dataset.from_tensor_slices(sorted(files))
    if split == "train":
        dataset = dataset.shuffle(len(files))
    dataset = dataset.flat_map(tf.data.TFRecordDataset)
    if split == "train":
        dataset = dataset.shuffle(config.shuffle_buffer)
    dataset = dataset.map(lambda r: parse_record(r, config.image_shape), num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.batch(config.batch_size)
