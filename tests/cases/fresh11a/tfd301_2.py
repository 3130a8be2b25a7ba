import csv

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

RATE = 16000


def load_wave(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, RATE)
    return audio[:, 0], label


def log_mel(waves, labels):
    spec = tf.abs(tf.signal.stft(waves, 640, 320, fft_length=1024))
    weights = tf.signal.linear_to_mel_weight_matrix(64, spec.shape[-1], RATE, 60.0, 7600.0)
    return tf.math.log(tf.matmul(spec, weights) + 1e-6), labels


def read_index(path):
    with open(path, newline="") as f:
        rows = [(r["wav"], int(r["target"])) for r in csv.DictReader(f)]
    return tuple(map(list, zip(*rows)))


def make(index, training, batch_size=32):
    paths, labels = read_index(index)
    ds = Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(load_wave, num_parallel_calls=AUTOTUNE)
    ds = ds.padded_batch(batch_size)
    if not training:
        ds = ds.cache()
    return ds.map(log_mel, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def validate(model, ds, metric):
    metric.reset_state()
    for x, y in ds:
        metric.update_state(y, model(x, training=False))
    return float(metric.result())


if __name__ == "__main__":
    model = tf.keras.models.load_model("tagger.keras")
    opt = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
    metric = tf.keras.metrics.SparseCategoricalAccuracy()
    train = make("/data/audioset/train.csv", training=True)
    valid = make("/data/audioset/valid.csv", training=False)

    @tf.function(reduce_retracing=True)
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables),
                                model.trainable_variables))

    for epoch in range(40):
        for x, y in train:
            step(x, y)
        print(epoch, validate(model, valid, metric))
