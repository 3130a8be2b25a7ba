"""Trash sorting; decode has to be per picture as sizes differ, the rest is batched."""
import tensorflow as tf


def decode(path, size):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.cast(tf.image.resize(img, [size, size], antialias=True), tf.uint8)


def on_batch(images, labels):
    images = tf.image.random_flip_left_right(images)
    images = tf.cast(images, tf.float32) / 127.5 - 1.0
    return images, tf.one_hot(labels, 6)


class TrashFactory:
    kinds = ("cardboard", "glass", "metal", "paper", "plastic", "trash")

    def __init__(self, root, size=192, batch=96):
        self.root, self.size, self.batch = root, size, batch

    def files(self, part):
        out = []
        for i, k in enumerate(self.kinds):
            out += [(p, i) for p in tf.io.gfile.glob(f"{self.root}/{part}/{k}/*.jpg")]
        paths, labels = zip(*out)
        return list(paths), list(labels)

    def make(self, part):
        paths, labels = self.files(part)
        images = tf.data.Dataset.from_tensor_slices(paths).map(
            lambda p: decode(p, self.size), num_parallel_calls=tf.data.AUTOTUNE)
        ds = tf.data.Dataset.zip((images, tf.data.Dataset.from_tensor_slices(labels)))
        ds = ds.cache(f"/scratch/trash-{part}")
        if part == "train":
            ds = ds.shuffle(4000)
        ds = ds.batch(self.batch)
        return ds.map(on_batch, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


factory = TrashFactory("/data/trashnet")
base = tf.keras.applications.MobileNetV2(include_top=False, input_shape=(192, 192, 3), pooling="avg")
model = tf.keras.Sequential([base, tf.keras.layers.Dense(6)])
model.compile("adam", tf.keras.losses.CategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(factory.make("train"), validation_data=factory.make("test"), epochs=40)
