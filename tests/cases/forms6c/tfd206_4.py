import functools

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

SAMPLE_RATE = 16000
AUGMENT_SEED = [42, 7]


def load_clip(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1,
                                   desired_samples=SAMPLE_RATE)
    return tf.squeeze(audio, axis=-1), label


def random_gain(index, example, low, high, base_seed):
    audio, label = example
    seed = tf.random.experimental.stateless_fold_in(base_seed, index)
    gain = tf.random.stateless_uniform([], seed, minval=low, maxval=high)
    return audio * gain, label


def make_dataset(paths, labels, batch_size):
    ds = Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths)).repeat()
    ds = ds.map(load_clip, num_parallel_calls=AUTOTUNE)
    gain = functools.partial(random_gain, low=0.5, high=1.5, base_seed=AUGMENT_SEED)
    ds = Dataset.zip((Dataset.counter(), ds)).map(gain, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(AUTOTUNE)


def train(paths, labels, model):
    ds = make_dataset(paths, labels, 256)
    model.compile(optimizer="adam",
                  loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, steps_per_epoch=len(paths) // 256, epochs=20)
