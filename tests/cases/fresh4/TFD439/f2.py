import numpy as np
import tensorflow as tf


def episodes(seed=0):
    rng = np.random.default_rng(seed)
    while True:
        start = rng.uniform(-1.0, 1.0, size=2).astype("float32")
        yield start, start * np.float32(0.9)


def environment(batch_size):
    spec = tf.TensorSpec((2,), tf.float32)
    ds = tf.data.Dataset.from_generator(episodes, output_signature=(spec, spec))
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def manager_for(directory, **objects):
    checkpoint = tf.train.Checkpoint(**objects)
    return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=5)


def main():
    policy = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(2)])
    policy.compile("adam", "mse")
    stream = iter(environment(batch_size=32))
    manager = manager_for("policy", policy=policy, stream=stream)
    for step in range(1, 2001):
        policy.train_on_batch(*next(stream))
        if step % 200 == 0:
            manager.save()


if __name__ == "__main__":
    main()
