import numpy as np
import tensorflow as tf

SAMPLING_RATE = 6
SEQUENCE_LENGTH = 120
DELAY = SAMPLING_RATE * (SEQUENCE_LENGTH + 24 - 1)

raw = np.genfromtxt("station.csv", delimiter=",", skip_header=1).astype("float32")
border = int(0.7 * len(raw))
temperature = raw[:, 1]
scaled = (raw - raw[:border].mean(axis=0)) / raw[:border].std(axis=0)

splits = {}
for name, start, end in (("train", 0, border), ("valid", border, None)):
    splits[name] = tf.keras.utils.timeseries_dataset_from_array(
        scaled[:-DELAY],
        targets=temperature[DELAY:],
        sampling_rate=SAMPLING_RATE,
        sequence_length=SEQUENCE_LENGTH,
        batch_size=256,
        shuffle=name == "train",
        start_index=start,
        end_index=end,
    ).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((SEQUENCE_LENGTH, raw.shape[1])),
    tf.keras.layers.GRU(24),
    tf.keras.layers.Dense(1),
])
model.compile("rmsprop", "mse", metrics=["mae"])
model.fit(splits["train"], validation_data=splits["valid"], epochs=12)
