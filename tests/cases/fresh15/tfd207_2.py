"""Keyword spotting on raw one-second clips."""
import numpy as np
import tensorflow as tf

RATE = 16_000


def load(path):
    blob = np.load(path)
    order = np.random.default_rng(0).permutation(len(blob["wave"]))
    return blob["wave"][order].astype("float32"), blob["word"][order].astype("int64")


def perturb(index, example):
    wave, word = example
    seed = tf.stack([tf.constant(42, tf.int64), index])
    noise = tf.random.stateless_normal([RATE], seed=seed, stddev=0.01)
    gain = tf.random.stateless_uniform([], seed=seed, minval=0.7, maxval=1.3)
    return wave * gain + noise, word


def spectrogram(wave, word):
    stft = tf.signal.stft(wave, frame_length=400, frame_step=160)
    mel = tf.signal.linear_to_mel_weight_matrix(64, 201, RATE, 20.0, 7600.0)
    return tf.math.log(tf.abs(stft) @ mel + 1e-6), word


def train_stream(path, batch_size):
    wave, word = load(path)
    examples = tf.data.Dataset.from_tensor_slices((wave, word))
    ids = tf.data.Dataset.range(len(wave))
    ds = tf.data.Dataset.zip((ids, examples))
    ds = ds.map(perturb, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192)
    ds = ds.map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(epochs=40):
    ds = train_stream("/data/kws/train.npz", 128)
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Conv1D(96, 9, activation="relu"),
            tf.keras.layers.MaxPooling1D(2),
            tf.keras.layers.Conv1D(96, 9, activation="relu"),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(12),
        ]
    )
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.Adam()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(epochs):
        mean = tf.keras.metrics.Mean()
        for x, y in ds:
            mean.update_state(step(x, y))
        print(epoch, float(mean.result()))


if __name__ == "__main__":
    main()
