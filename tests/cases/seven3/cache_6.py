from dataclasses import dataclass, field

import tensorflow as tf


@dataclass
class Settings:
    pattern: str = "/data/ecg/records-*.tfrecord"
    length: int = 5000
    leads: int = 12
    batch_size: int = 32
    epochs: int = 200
    cache_file: str = "/scratch/ecg.cache"
    bands: list = field(default_factory=lambda: [(0.5, 4.0), (4.0, 15.0), (15.0, 40.0)])


S = Settings()
SPEC = {
    "signal": tf.io.FixedLenFeature([S.length * S.leads], tf.float32),
    "rhythm": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized):
    ex = tf.io.parse_example(serialized, SPEC)
    return {"signal": tf.reshape(ex["signal"], (-1, S.length, S.leads)), "rhythm": ex["rhythm"]}


def bandpass(batch):
    spectrum = tf.signal.rfft(tf.transpose(batch["signal"], (0, 2, 1)))
    freqs = tf.linspace(0.0, 250.0, S.length // 2 + 1)
    filtered = []
    for low, high in S.bands:
        keep = tf.cast((freqs >= low) & (freqs < high), tf.complex64)
        filtered.append(tf.signal.irfft(spectrum * keep, [S.length]))
    signal = tf.transpose(tf.concat(filtered, axis=1), (0, 2, 1))
    return {"signal": signal, "rhythm": batch["rhythm"]}


def pipeline():
    ds = tf.data.Dataset.list_files(S.pattern, shuffle=False)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(S.batch_size, drop_remainder=True).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache(S.cache_file).map(bandpass, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(64).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(64, 15, strides=4, activation="relu"),
    tf.keras.layers.Conv1D(128, 9, strides=4, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(9),
])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_epoch(ds):
    total = tf.constant(0.0)
    for batch in ds:
        with tf.GradientTape() as tape:
            loss = loss_fn(batch["rhythm"], model(batch["signal"], training=True))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        total += loss
    return total


model.build((None, S.length, S.leads * len(S.bands)))
optimizer.build(model.trainable_variables)
data = pipeline()
for epoch in range(S.epochs):
    tf.print(epoch, train_epoch(data))
