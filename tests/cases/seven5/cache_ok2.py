"""Whale calls: log spectrograms are computed once and kept on the SSD."""
import tensorflow as tf
import keras

AUTO = tf.data.AUTOTUNE


def spectrogram(record):
    ex = tf.io.parse_single_example(record, {
        "wav": tf.io.FixedLenFeature([], tf.string),
        "call": tf.io.FixedLenFeature([], tf.int64),
    })
    wave, _ = tf.audio.decode_wav(ex["wav"], 1, 20_000)
    spec = tf.abs(tf.signal.stft(wave[:, 0], 512, 128))
    return tf.math.log(spec + 1e-4), ex["call"]


def random_crop(spec, call):
    return tf.image.random_crop(spec, (128, 257)), call


def centre_crop(spec, call):
    return spec[12:140], call


def build(split):
    names = sorted(tf.io.gfile.glob(f"/data/whales/{split}-*.tfrecord"))
    ds = tf.data.TFRecordDataset(names, num_parallel_reads=AUTO)
    ds = ds.map(spectrogram, num_parallel_calls=AUTO)
    ds = ds.cache(f"/scratch/whales-{split}")
    if split == "train":
        ds = ds.shuffle(10_000).repeat().map(random_crop, num_parallel_calls=AUTO)
    else:
        ds = ds.map(centre_crop, num_parallel_calls=AUTO)
    return ds.batch(64).prefetch(AUTO)


model = keras.Sequential([
    keras.Input((128, 257)),
    keras.layers.Conv1D(128, 5, activation="relu"),
    keras.layers.LSTM(128),
    keras.layers.Dense(2),
])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
splits = {name: build(name) for name in ("train", "valid")}
model.fit(splits["train"], steps_per_epoch=470, epochs=60, validation_data=splits["valid"])
model.save("/models/whales.keras")
