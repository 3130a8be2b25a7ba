import argparse

import tensorflow as tf

_COLUMNS = [
    "age", "workclass", "education_num", "occupation", "hours_per_week", "capital_gain", "income",
]
_DEFAULTS = [[0.0], [""], [0.0], [""], [0.0], [0.0], [""]]
_NUM_TRAIN = 32561
_NUMERIC = ["age", "education_num", "hours_per_week", "capital_gain"]


def parse_csv(lines):
    columns = tf.io.decode_csv(lines, record_defaults=_DEFAULTS)
    features = dict(zip(_COLUMNS, columns))
    label = tf.cast(tf.equal(features.pop("income"), ">50K"), tf.float32)
    numeric = tf.stack([features[name] for name in _NUMERIC], axis=-1)
    return numeric, label


def input_fn(data_file, shuffle, batch_size):
    """Lines of the census file, parsed batch by batch."""
    dataset = tf.data.TextLineDataset(data_file).skip(1)
    dataset = dataset.batch(batch_size)
    dataset = dataset.map(parse_csv, num_parallel_calls=5)
    if shuffle:
        dataset = dataset.shuffle(buffer_size=_NUM_TRAIN)
    return dataset.prefetch(1)


def build_model(train):
    norm = tf.keras.layers.Normalization()
    norm.adapt(train.map(lambda x, y: x))
    model = tf.keras.Sequential([
        tf.keras.Input((len(_NUMERIC),)),
        norm,
        tf.keras.layers.Dense(100, activation="relu"),
        tf.keras.layers.Dense(50, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile(
        "adagrad", tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--train_data", default="census/adult.data")
    parser.add_argument("--test_data", default="census/adult.test")
    parser.add_argument("--batch_size", type=int, default=40)
    parser.add_argument("--train_epochs", type=int, default=40)
    flags = parser.parse_args()

    train_set = input_fn(flags.train_data, True, flags.batch_size)
    test_set = input_fn(flags.test_data, False, flags.batch_size)
    census = build_model(input_fn(flags.train_data, False, flags.batch_size))
    census.fit(train_set, epochs=flags.train_epochs, validation_data=test_set)
