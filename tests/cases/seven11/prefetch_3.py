import glob
import os

import numpy as np
import tensorflow as tf

SR = 16_000
CLIP = SR * 4


def decode_wav(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=CLIP)
    return tf.squeeze(audio, -1), label


def add_mel(audio, label, mel_matrix):
    spec = tf.abs(tf.signal.stft(audio, 1024, 256))
    return tf.math.log(tf.matmul(spec, mel_matrix) + 1e-6)[..., tf.newaxis], label


def finish(ds, batch_size, mel_matrix):
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(lambda a, y: add_mel(a, y, mel_matrix), num_parallel_calls=tf.data.AUTOTUNE)
    ds.prefetch(tf.data.AUTOTUNE)
    return ds


def load(root, batch_size):
    mel = tf.signal.linear_to_mel_weight_matrix(64, 513, SR, 60.0, 7600.0)
    names = sorted(os.listdir(root))
    paths = sorted(glob.glob(os.path.join(root, "*", "*.wav")))
    labels = np.array([names.index(p.split(os.sep)[-2]) for p in paths], np.int32)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(decode_wav, num_parallel_calls=tf.data.AUTOTUNE)
    return finish(ds, batch_size, mel), len(names)


def build(n_classes):
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu", padding="same"),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu", padding="same"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(n_classes),
    ])


def main():
    train_ds, n_classes = load("/data/speech/train", 128)
    model, opt = build(n_classes), tf.keras.optimizers.Adam(1e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(40):
        mean = tf.keras.metrics.Mean()
        for x, y in train_ds:
            mean.update_state(step(x, y))
        print(epoch, float(mean.result()))


if __name__ == "__main__":
    main()
