import glob
import os

import tensorflow as tf


class DepthPairs:
    def __init__(self, root, size=(240, 320)):
        self.rgb = sorted(glob.glob(os.path.join(root, "rgb", "*.jpg")))
        self.depth = sorted(glob.glob(os.path.join(root, "depth", "*.png")))
        if len(self.rgb) != len(self.depth):
            raise ValueError("unequal number of frames")
        self.size = size

    def load(self, rgb_path, depth_path):
        rgb = tf.io.decode_jpeg(tf.io.read_file(rgb_path), channels=3)
        rgb = tf.image.resize(rgb, self.size) / 255.0
        depth = tf.io.decode_png(tf.io.read_file(depth_path), channels=1, dtype=tf.uint16)
        depth = tf.image.resize(tf.cast(depth, tf.float32) / 1000.0, self.size, method="nearest")
        return rgb, depth

    def batches(self, batch_size):
        rgb = tf.data.Dataset.from_tensor_slices(self.rgb)
        depth = tf.data.Dataset.from_tensor_slices(self.depth)
        pairs = tf.data.Dataset.zip((rgb, depth)).shuffle(len(self.rgb))
        pairs = pairs.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return pairs.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def depth_net(size):
    layers = tf.keras.layers
    inp = tf.keras.Input(size + (3,))
    x = inp
    for width in (32, 64, 128):
        x = layers.Conv2D(width, 3, strides=2, padding="same", activation="relu")(x)
    for width in (128, 64, 32):
        x = layers.Conv2DTranspose(width, 3, strides=2, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, layers.Conv2D(1, 3, padding="same")(x))


def main():
    data = DepthPairs("/data/nyu/train")
    model = depth_net(data.size)
    model.compile("adam", "huber")
    model.fit(data.batches(16), epochs=25)
    model.save("depth.keras")


if __name__ == "__main__":
    main()
