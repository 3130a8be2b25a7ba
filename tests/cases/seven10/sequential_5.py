"""Electric-load forecasting from some hundreds of CSV files per region."""
import numpy as np
import tensorflow as tf

REGIONS = ("north", "south", "islands")


def csv_lines(pattern, *, cycle=24, parallelism=None, header=True):
    def open_file(path):
        lines = tf.data.TextLineDataset(path)
        return lines.skip(1) if header else lines

    return tf.data.Dataset.list_files(pattern, shuffle=True).interleave(
        open_file, cycle_length=cycle, num_parallel_calls=parallelism)


def parse_rows(rows):
    columns = tf.io.decode_csv(rows, [[0.0]] * 12)
    return tf.stack(columns[:-1], axis=1), columns[-1]


def regional(region, batch_size):
    lines = csv_lines(f"/data/load/{region}/*.csv", cycle=48)
    ds = lines.shuffle(100_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(parse_rows, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def fit_region(region, epochs=6):
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    optimizer = tf.keras.optimizers.Adam()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x)[:, 0] - y))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    dataset = regional(region, 1024)
    for _ in range(epochs):
        losses = [step(x, y) for x, y in dataset]
        print(region, np.mean([l.numpy() for l in losses]))
    return model


if __name__ == "__main__":
    models = {region: fit_region(region) for region in REGIONS}
