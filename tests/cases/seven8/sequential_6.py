"""Fine-grained recognition (iNaturalist) with configurable augmentation list."""
import tensorflow as tf
import tensorflow_datasets as tfds

AUGMENTERS = {}


def augmenter(fn):
    AUGMENTERS[fn.__name__] = fn
    return fn


@augmenter
def inception_crop(ex):
    img = ex["image"]
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        tf.shape(img), tf.zeros([1, 0, 4]), area_range=(0.08, 1.0),
        use_image_if_no_bounding_boxes=True)
    img = tf.image.resize(tf.slice(img, begin, size), [299, 299])
    return {**ex, "image": tf.ensure_shape(img, [299, 299, 3])}


@augmenter
def color_jitter(ex):
    img = tf.image.random_brightness(ex["image"] / 255.0, 0.4)
    img = tf.image.random_saturation(img, 0.6, 1.4)
    img = tf.image.random_hue(img, 0.1)
    return {**ex, "image": tf.clip_by_value(img, 0.0, 1.0)}


@augmenter
def flip(ex):
    return {**ex, "image": tf.image.random_flip_left_right(ex["image"])}


class INatData:
    def __init__(self, augment=("inception_crop", "color_jitter", "flip"), batch=256):
        self.transforms = [AUGMENTERS[a] for a in augment]
        self.batch = batch

    def train(self):
        ds, info = tfds.load("i_naturalist2021", split="train", with_info=True,
                             shuffle_files=True)
        self.num_examples = info.splits["train"].num_examples
        ds = ds.shuffle(8192).repeat()
        for t in self.transforms:
            ds = ds.map(t)
        ds = ds.batch(self.batch, drop_remainder=True)
        ds = ds.map(lambda ex: (ex["image"], ex["label"]), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    data = INatData()
    train = data.train()
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.InceptionV3(weights=None, classes=10000)
        lr = tf.keras.optimizers.schedules.CosineDecay(0.2, 400_000)
        model.compile(tf.keras.optimizers.SGD(lr, momentum=0.9),
                      "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(train, epochs=40, steps_per_epoch=data.num_examples // data.batch,
              callbacks=[tf.keras.callbacks.BackupAndRestore("/exp/inat/backup")])


if __name__ == "__main__":
    main()
