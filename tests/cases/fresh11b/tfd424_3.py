import tensorflow as tf
import tensorflow_datasets as tfds


class Augment:
    def __init__(self, size):
        self.size = size

    def __call__(self, image, mask):
        both = tf.concat([image, tf.cast(mask, tf.float32)], axis=-1)
        both = tf.image.random_flip_left_right(both)
        both = tf.image.random_crop(both, [self.size, self.size, 4])
        image = tf.image.random_brightness(both[..., :3], 0.1)
        return image, tf.cast(both[..., 3:], tf.int32)


def resize(example):
    image = tf.image.resize(example["image"], (160, 160)) / 255.0
    mask = tf.image.resize(example["segmentation_mask"], (160, 160), method="nearest")
    return image, tf.cast(mask, tf.int32) - 1


def main():
    train = tfds.load("oxford_iiit_pet", split="train", shuffle_files=True)
    train = train.map(resize, num_parallel_calls=tf.data.AUTOTUNE).cache().shuffle(2000)
    train = train.map(Augment(128), num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE)
    model = tf.keras.Sequential([
        tf.keras.Input((128, 128, 3)), tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(3, 1)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=20)


if __name__ == "__main__":
    main()
