import glob
import os

import tensorflow as tf

rng = tf.random.Generator.from_seed(1234, alg="philox")
SIZE = 224


def read(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    return tf.image.resize(image, (SIZE + 32, SIZE + 32)), label


def jitter(image, label, seed):
    pair = tf.random.split(seed, num=3)
    image = tf.image.stateless_random_crop(image, (SIZE, SIZE, 3), seed=pair[0])
    image = tf.image.stateless_random_flip_left_right(image, seed=pair[1])
    image = tf.image.stateless_random_saturation(image, 0.8, 1.2, seed=pair[2])
    return image, label


def with_fresh_seed(image, label):
    seed = rng.make_seeds(1)[:, 0]
    return jitter(image, label, seed)


def training_set(root, batch_size):
    names = sorted(os.listdir(root))
    paths = [p for n in names for p in glob.glob(os.path.join(root, n, "*.jpg"))]
    labels = [names.index(os.path.basename(os.path.dirname(p))) for p in paths]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths))
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(with_fresh_seed, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE), len(names)


if __name__ == "__main__":
    ds, classes = training_set("/data/dogs/train", 64)
    base = tf.keras.applications.EfficientNetV2B0(include_top=False, pooling="avg")
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(classes, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ds, epochs=20)
