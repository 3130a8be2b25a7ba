import tensorflow as tf


class BaseLoader:
    def __init__(self, root, batch_size=128):
        self.root = root
        self.batch_size = batch_size

    def source(self):
        raise NotImplementedError

    def preprocess(self, *args):
        raise NotImplementedError

    def finalize(self, ds):
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def load(self):
        ds = self.source()
        ds = ds.map(self.preprocess, num_parallel_calls=tf.data.AUTOTUNE)
        return self.finalize(ds)


class SegmentationLoader(BaseLoader):
    def source(self):
        images = sorted(tf.io.gfile.glob(f"{self.root}/images/*.png"))
        masks = sorted(tf.io.gfile.glob(f"{self.root}/masks/*.png"))
        ds = tf.data.Dataset.from_tensor_slices((images, masks))
        return ds.shuffle(len(images), reshuffle_each_iteration=True)

    def preprocess(self, image_path, mask_path):
        image = tf.io.decode_png(tf.io.read_file(image_path), channels=3)
        mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
        image = tf.image.resize(image, (512, 512)) / 255.0
        mask = tf.image.resize(mask, (512, 512), method="nearest")
        return image, mask

    def finalize(self, ds):
        return ds.batch(self.batch_size, drop_remainder=True)


def unet():
    inputs = tf.keras.Input((512, 512, 3))
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(x)
    outputs = tf.keras.layers.Conv2D(19, 1, activation="softmax")(x)
    return tf.keras.Model(inputs, outputs)


if __name__ == "__main__":
    loader = SegmentationLoader("/mnt/cityscapes/train", batch_size=16)
    net = unet()
    net.compile("adam", "sparse_categorical_crossentropy")
    net.fit(loader.load(), epochs=60)
