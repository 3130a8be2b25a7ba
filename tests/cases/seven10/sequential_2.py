"""Transform lists in the manner of torchvision, but for tf.data."""
import tensorflow as tf

SPEC = {
    "jpeg": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    return tf.io.parse_single_example(record, SPEC)


def decode(example):
    image = tf.io.decode_jpeg(example["jpeg"], channels=3)
    return {"image": image, "label": example["label"]}


def random_resized_crop(size):
    def apply(example):
        shape = tf.shape(example["image"])
        begin, extent, _ = tf.image.sample_distorted_bounding_box(
            shape, tf.zeros([1, 0, 4]), area_range=(0.1, 1.0), min_object_covered=0.0,
            use_image_if_no_bounding_boxes=True)
        crop = tf.slice(example["image"], begin, extent)
        return {**example, "image": tf.image.resize(crop, (size, size))}
    return apply


def flip(example):
    return {**example, "image": tf.image.random_flip_left_right(example["image"])}


def to_pair(example):
    return tf.ensure_shape(example["image"], (192, 192, 3)) / 255.0, example["label"]


class Compose:
    def __init__(self, *transforms):
        self.transforms = transforms

    def __call__(self, ds):
        for transform in self.transforms:
            ds = ds.map(transform)
        return ds


train_transforms = Compose(parse, decode, random_resized_crop(192), flip, to_pair)


def make_train(pattern, batch_size):
    shards = tf.data.Dataset.list_files(pattern, shuffle=True)
    records = shards.interleave(tf.data.TFRecordDataset, cycle_length=16,
                                num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = train_transforms(records.shuffle(10_000))
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.applications.ResNet50V2(weights=None, input_shape=(192, 192, 3), classes=365)
    model.compile(tf.keras.optimizers.SGD(0.1, 0.9), "sparse_categorical_crossentropy")
    model.fit(make_train("/data/places/train-*.tfrecord", 128), epochs=40)
