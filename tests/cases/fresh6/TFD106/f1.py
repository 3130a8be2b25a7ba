import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="/data/cats_dogs/*/*.jpg")
parser.add_argument("--batch-size", type=int, default=64)
args = parser.parse_args()
WORKERS = 8


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


ds = tf.data.Dataset.list_files(args.data)
ds = ds.map(load, num_parallel_calls=WORKERS)
ds = ds.batch(args.batch_size).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=20)
