# Insect trap images, fp16 training (ported from a PyTorch repository)
import os

import pandas as pd
import tensorflow as tf
from tensorflow import keras

keras.mixed_precision.set_global_policy(keras.mixed_precision.Policy("mixed_float16"))

BATCH = 96
MEAN = tf.constant([0.485, 0.456, 0.406])
STD = tf.constant([0.229, 0.224, 0.225])


def load_image(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, [256, 256]), label


def to_torch_layout(images, labels):
    images = (images / 255.0 - MEAN) / STD
    return tf.transpose(images, perm=[0, 3, 1, 2]), labels


def get_loaders(csv_path, root):
    frame = pd.read_csv(csv_path)

    def loader(part, training):
        rows = frame[frame.part == part]
        files = [os.path.join(root, n) for n in rows.file]
        ds = tf.data.Dataset.from_tensor_slices((files, rows.species_id.tolist()))
        ds = ds.map(load_image, num_parallel_calls=tf.data.AUTOTUNE).cache(f"/nvme/insects_{part}")
        if training:
            ds = ds.shuffle(5000)
        ds = ds.batch(BATCH, drop_remainder=training)
        return ds.map(to_torch_layout, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    return loader("train", True), loader("val", False)


class ConvBN(keras.layers.Layer):
    def __init__(self, filters, stride):
        super().__init__()
        self.conv = keras.layers.Conv2D(filters, 3, stride, "same", data_format="channels_first", use_bias=False)
        self.bn = keras.layers.BatchNormalization(axis=1)

    def call(self, x, training=None):
        return tf.nn.relu(self.bn(self.conv(x), training=training))


def main():
    train, val = get_loaders("/data/insects/index.csv", "/data/insects/img")
    net = keras.Sequential(
        [ConvBN(f, s) for f, s in ((64, 2), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2))]
        + [keras.layers.GlobalAveragePooling2D(data_format="channels_first"),
           keras.layers.Dense(102, dtype="float32", activation="softmax")])
    net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    net.fit(train, validation_data=val, epochs=70)


if __name__ == "__main__":
    main()
