import numpy as np
import tensorflow as tf

num_losses = 2
loss_dim = 3

data = np.load("pose_steps.npz")
features = data["features"].astype("float32")
labels = data["labels"].astype("float32").reshape(len(features), num_losses, loss_dim)
n_val = len(features) // 5

inputs = tf.keras.Input(shape=features.shape[1:], name="features")
l1 = tf.keras.layers.Dense(loss_dim, name="l1")(inputs)
l2 = tf.keras.layers.Dense(loss_dim, name="l2")(l1)
model = tf.keras.Model(inputs=inputs, outputs=[l1, l2])


def loss(y, y_hat):
    return tf.abs(y - y_hat)


model.compile(optimizer="adam", loss=[loss, loss], loss_weights=[0.2, 1.0])

train = tf.data.Dataset.from_tensor_slices((features[n_val:], labels[n_val:]))
train = train.shuffle(len(features)).batch(32).prefetch(tf.data.AUTOTUNE)
val = tf.data.Dataset.from_tensor_slices((features[:n_val], labels[:n_val]))
val = val.batch(32).prefetch(tf.data.AUTOTUNE)

model.fit(train, validation_data=val, epochs=10)
