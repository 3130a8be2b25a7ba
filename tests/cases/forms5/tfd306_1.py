import tensorflow as tf

COLUMNS = [0.0] * 28 + [0]


def parse_csv(line):
    fields = tf.io.decode_csv(line, COLUMNS)
    return tf.stack(fields[:-1], axis=-1), fields[-1]


def input_fn(files, batch_size=256, buffer=10_000):
    return (
        tf.data.TextLineDataset(files)
        .batch(batch_size)
        .map(parse_csv, num_parallel_calls=tf.data.AUTOTUNE)
        .shuffle(buffer)
        .prefetch(tf.data.AUTOTUNE)
    )


def build_model(width=300):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Input((28,)),
            tf.keras.layers.Dense(width, activation="tanh"),
            tf.keras.layers.Dense(width, activation="tanh"),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ]
    )


def main():
    files = tf.io.gfile.glob("/data/higgs/train-*.csv")
    model = build_model()
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(input_fn(files), epochs=20)


if __name__ == "__main__":
    main()
