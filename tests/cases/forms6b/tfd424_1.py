import argparse

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def jitter(image):
    image = tf.image.random_brightness(image, 0.2)
    return tf.image.random_contrast(image, 0.8, 1.2)


def mirror(image):
    return tf.image.random_flip_left_right(image)


AUGMENTATIONS = (jitter, mirror)


class LungSegmentation:
    def __init__(self, root, batch_size):
        self.images = sorted(tf.io.gfile.glob(f"{root}/images/*.png"))
        self.masks = sorted(tf.io.gfile.glob(f"{root}/masks/*.png"))
        self.batch_size = batch_size

    def read(self, image_path, mask_path):
        image = tf.io.decode_png(tf.io.read_file(image_path), channels=1)
        mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
        image = tf.image.resize(image, [256, 256]) / 255.0
        mask = tf.image.resize(mask, [256, 256], method="nearest")
        return image, tf.cast(mask > 0, tf.float32)

    def augment(self, image, mask):
        for fn in AUGMENTATIONS:
            image = fn(image)
        return tf.clip_by_value(image, 0.0, 1.0), mask

    def train(self):
        ds = tf.data.Dataset.from_tensor_slices((self.images, self.masks))
        ds = ds.shuffle(len(self.images))
        ds = ds.map(self.read, num_parallel_calls=AUTOTUNE)
        ds = ds.map(self.augment, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(AUTOTUNE)


def build_model():
    inputs = tf.keras.Input((256, 256, 1))
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    y = tf.keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(x)
    y = tf.keras.layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(y)
    x = tf.keras.layers.Add()([x, y])
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--batch_size", type=int, default=16)
    args = parser.parse_args()
    model = build_model()
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(LungSegmentation(args.root, args.batch_size).train(), epochs=50)


if __name__ == "__main__":
    main()
