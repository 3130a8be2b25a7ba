import numpy as np
import tensorflow as tf

raw = np.genfromtxt("station.csv", delimiter=",", skip_header=1).astype("float32")
border = int(0.7 * len(raw))
scaled = (raw - raw[:border].mean(axis=0)) / raw[:border].std(axis=0)

splits = {}
for name, start, end in (("train", 0, border), ("valid", border, len(raw) - 1)):
    splits[name] = tf.keras.utils.timeseries_dataset_from_array(
        scaled,
        targets=scaled[:, 2],
        sequence_length=36,
        sampling_rate=2,
        batch_size=256,
        shuffle=name == "train",
        start_index=start,
        end_index=end,
    ).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((36, raw.shape[1])),
    tf.keras.layers.GRU(24),
    tf.keras.layers.Dense(1),
])
model.compile("rmsprop", "mse", metrics=["mae"])
model.fit(splits["train"], validation_data=splits["valid"], epochs=12)
