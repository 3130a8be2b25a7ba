import random
import time

import tensorflow as tf


class Augmenter:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.seed = (rng.randrange(2**31), rng.randrange(2**31))

    def __call__(self, index, item):
        image, label = item
        seed = tf.stack([self.seed[0], tf.cast(index, tf.int32)])
        image = tf.image.stateless_random_brightness(image, 0.3, seed)
        image = tf.image.stateless_random_flip_left_right(image, seed)
        return image, label


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, label


def train_dataset(pairs, seed, batch_size):
    random.shuffle(pairs)
    files, labels = map(list, zip(*pairs))
    ds = tf.data.Dataset.from_tensor_slices((files, labels)).shuffle(len(files))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.repeat(40).enumerate()
    ds = ds.map(Augmenter(seed), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    rows = [line.split(",") for line in open("train.csv").read().splitlines()]
    data = train_dataset([(f, int(y)) for f, y in rows], 7, 64)
    model = tf.keras.applications.MobileNetV2(weights=None, classes=120)
    model.compile("adam", "sparse_categorical_crossentropy")
    start = time.time()
    model.fit(data)
    print("took", time.time() - start)
