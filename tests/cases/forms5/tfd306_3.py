import numpy as np
import tensorflow as tf


def batched(arrays, batch_size):
    return tf.data.Dataset.from_tensor_slices(arrays).batch(batch_size, drop_remainder=True)


def epochs(arrays, batch_size, n):
    base = batched(arrays, batch_size)
    for epoch in range(n):
        shuffled = base.shuffle(1000, seed=epoch)
        yield epoch, shuffled.prefetch(2)


@tf.function
def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(
            tf.keras.losses.sparse_categorical_crossentropy(y, model(x, training=True)))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def main():
    data = np.load("/data/har/sorted_by_subject.npz")
    model = tf.keras.Sequential([
        tf.keras.layers.Input((128, 9)),
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(6, activation="softmax"),
    ])
    optimizer = tf.keras.optimizers.Adam()
    optimizer.build(model.trainable_variables)
    for epoch, ds in epochs((data["x"], data["y"]), 64, 30):
        for x, y in ds:
            loss = train_step(model, optimizer, x, y)
        tf.print("epoch", epoch, loss)


if __name__ == "__main__":
    main()
