import tensorflow as tf
import tensorflow_datasets as tfds


class Augment:
    def __init__(self, ops):
        self.ops = ops

    def __call__(self, example):
        image = example["image"]
        for op in self.ops:
            image = op(image)
        return {**example, "image": image}


def resize(example):
    return {
        "image": tf.image.resize(example["image"], (128, 128)) / 255.0,
        "mask": tf.image.resize(example["segmentation_mask"], (128, 128), method="nearest") - 1,
    }


def to_pair(example):
    return example["image"], example["mask"]


def make(split, augment=None):
    ds = tfds.load("oxford_iiit_pet", split=split, shuffle_files=augment is not None)
    ds = ds.map(resize, num_parallel_calls=tf.data.AUTOTUNE)
    if augment is not None:
        ds = ds.cache().shuffle(2000).map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.map(to_pair, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE)


def main():
    augment = Augment([
        lambda im: tf.image.random_brightness(im, 0.1),
        tf.image.random_flip_left_right,
    ])
    model = tf.keras.Sequential([
        tf.keras.Input((128, 128, 3)), tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(3, 1)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(make("train", augment), validation_data=make("test"), epochs=20)


if __name__ == "__main__":
    main()
