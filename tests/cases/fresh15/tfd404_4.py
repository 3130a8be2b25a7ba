import glob
import os

import tensorflow as tf

ROOT = "/data/garbage"
KINDS = sorted(os.listdir(ROOT))


def decode(path, kind):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (224, 224)), kind


def split(fraction, seed):
    paths, kinds = [], []
    for i, name in enumerate(KINDS):
        found = sorted(glob.glob(os.path.join(ROOT, name, "*.jpg")))
        paths += found
        kinds += [i] * len(found)
    n = len(paths)
    held = int(n * fraction)
    ds = tf.data.Dataset.from_tensor_slices((paths, kinds))
    ds = ds.shuffle(n, seed=seed, reshuffle_each_iteration=False)
    return ds.skip(held), ds.take(held), n - held


def finish(ds):
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(32).prefetch(tf.data.AUTOTUNE)


def main():
    train, valid, n_train = split(0.15, seed=99)
    train = finish(train.shuffle(n_train))
    valid = finish(valid)
    base = tf.keras.applications.MobileNetV3Large(include_top=False, pooling="avg")
    base.trainable = False
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(len(KINDS), activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=10)
    model.save("garbage.keras")


if __name__ == "__main__":
    main()
