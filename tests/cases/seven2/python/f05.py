import lzma
import pickle

import tensorflow as tf

OUT = (tf.TensorSpec([84, 84, 4], tf.uint8), tf.TensorSpec([], tf.int32))


def play(episode_file):
    with lzma.open(episode_file.decode()) as fh:
        episode = pickle.load(fh)
    for frames, action in zip(episode["obs"], episode["act"]):
        yield frames, action


def episode_dataset(name):
    return tf.data.Dataset.from_generator(play, args=(name,), output_signature=OUT)


def demonstrations(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(episode_dataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


policy = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1 / 255.0),
    tf.keras.layers.Conv2D(32, 8, strides=4, activation="relu"),
    tf.keras.layers.Conv2D(64, 4, strides=2, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(512, activation="relu"),
    tf.keras.layers.Dense(18),
])
policy.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
policy.fit(demonstrations("/data/atari/*.pkl.xz", 256), epochs=10)
