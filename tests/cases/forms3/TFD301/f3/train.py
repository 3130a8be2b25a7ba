import argparse

import tensorflow as tf

from data import load_training

p = argparse.ArgumentParser()
p.add_argument("--records", default="train-*.tfrecord")
p.add_argument("--cache_dir", default="/tmp/raw_cache")
p.add_argument("--epochs", type=int, default=15)
args = p.parse_args()

ds = load_training(args.records, args.cache_dir, batch=128)
inputs = tf.keras.Input((224, 224, 3), name="image")
x = tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu")(inputs)
x = tf.keras.layers.GlobalAveragePooling2D()(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(10)(x))
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=args.epochs)
