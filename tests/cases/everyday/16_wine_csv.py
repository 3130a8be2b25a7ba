"""Regression on the wine quality table. MEAN and STD were computed once from the training rows."""
import tensorflow as tf

TRAIN_CSV = "data/wine/train.csv"
VALID_CSV = "data/wine/valid.csv"
N_FEATURES = 11

MEAN = [8.32, 0.53, 0.27, 2.54, 0.087, 15.9, 46.5, 0.9967, 3.31, 0.66, 10.4]
STD = [1.74, 0.18, 0.19, 1.41, 0.047, 10.5, 32.9, 0.0019, 0.15, 0.17, 1.07]


def parse_csv_line(line):
    columns = tf.io.decode_csv(line, record_defaults=[0.0] * (N_FEATURES + 1), field_delim=";")
    x = tf.stack(columns[:-1])
    y = columns[-1]
    return (x - MEAN) / STD, y


def csv_reader_dataset(filename, batch_size=32, shuffle_buffer_size=None):
    dataset = tf.data.TextLineDataset(filename).skip(1)
    dataset = dataset.map(parse_csv_line, num_parallel_calls=4)
    if shuffle_buffer_size:
        dataset = dataset.shuffle(shuffle_buffer_size)
    return dataset.batch(batch_size)


train_set = csv_reader_dataset(TRAIN_CSV, shuffle_buffer_size=10000)
valid_set = csv_reader_dataset(VALID_CSV, batch_size=256)

model = tf.keras.models.Sequential(
    [
        tf.keras.layers.Dense(30, activation="relu", input_shape=[N_FEATURES]),
        tf.keras.layers.Dense(30, activation="relu"),
        tf.keras.layers.Dense(1),
    ]
)
model.compile(loss="mse", optimizer=tf.keras.optimizers.SGD(learning_rate=1e-3), metrics=["mae"])
model.fit(
    train_set,
    epochs=50,
    validation_data=valid_set,
    callbacks=[tf.keras.callbacks.EarlyStopping(patience=5, restore_best_weights=True)],
)
print("validation mse and mae:", model.evaluate(valid_set))
model.save("wine_model")
