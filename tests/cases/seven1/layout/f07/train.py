import tensorflow as tf

import settings
from network import network


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (settings.IMAGE_SIZE, settings.IMAGE_SIZE)) / 255.0
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.transpose(image, [2, 0, 1]), label


def main():
    ds = tf.data.Dataset.list_files("/data/imagenet/train/*/*.JPEG")
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(settings.BATCH_SIZE, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    model = network()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ds, epochs=90)


if __name__ == "__main__":
    main()
