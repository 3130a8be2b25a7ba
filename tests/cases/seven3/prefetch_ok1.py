import keras
import tensorflow as tf

COLUMNS = ["fare", "distance", "passengers", "hour", "tip"]
BATCH_SIZE = 1024


def load(pattern, shuffle):
    return tf.data.experimental.make_csv_dataset(
        pattern,
        batch_size=BATCH_SIZE,
        column_names=COLUMNS,
        label_name="tip",
        num_epochs=1,
        shuffle=shuffle,
        shuffle_buffer_size=100_000,
        num_parallel_reads=8,
        sloppy=shuffle,
    )


train = load("/data/taxi/2023-*.csv", True)
test = load("/data/taxi/2024-*.csv", False)

inputs = {name: keras.Input((), name=name) for name in COLUMNS[:-1]}
x = keras.ops.stack([keras.ops.cast(v, "float32") for v in inputs.values()], axis=-1)
x = keras.layers.BatchNormalization()(x)
for width in (256, 128, 64):
    x = keras.layers.Dense(width, activation="relu")(x)
model = keras.Model(inputs, keras.layers.Dense(1)(x))
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mae")
model.fit(train, validation_data=test, epochs=10)
