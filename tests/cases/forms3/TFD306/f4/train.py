import argparse

import tensorflow as tf

from reader import batches

parser = argparse.ArgumentParser()
parser.add_argument("--buffer", type=int, default=200)
parser.add_argument("--batch", type=int, default=64)
args = parser.parse_args()

train = batches("logs/*.tfrecord", args.batch)
train = train.shuffle(args.buffer).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-3)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
for epoch in range(10):
    for batch in train:
        with tf.GradientTape() as tape:
            loss = bce(batch["click"][:, None], model(batch["features"], training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(loss))
