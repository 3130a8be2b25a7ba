import pathlib

import tensorflow as tf

ROOT = pathlib.Path("speech_samples")
SAMPLE_BYTES = 32044
LABELS = sorted(p.name for p in ROOT.iterdir() if p.is_dir())

train_x_paths = [str(p) for p in sorted(ROOT.glob("*/*.wav"))]
train_y_labels = [LABELS.index(pathlib.Path(p).parent.name) for p in train_x_paths]


def read_file(path, label):
    raw = tf.io.read_file(path).numpy()
    samples = tf.io.decode_raw(raw[44:SAMPLE_BYTES], tf.int16)
    samples = tf.cast(samples, tf.float32) / 32768.0
    return tf.reshape(samples, (16000, 1)), label


ds_train = tf.data.Dataset.from_tensor_slices((train_x_paths, train_y_labels))
ds_train = ds_train.shuffle(len(train_x_paths))
ds_train = ds_train.map(read_file, num_parallel_calls=tf.data.AUTOTUNE)
ds_train = ds_train.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((16000, 1)),
    tf.keras.layers.Conv1D(32, 80, strides=16, activation="relu"),
    tf.keras.layers.MaxPooling1D(4),
    tf.keras.layers.Conv1D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(len(LABELS)),
])
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(ds_train, epochs=8)
