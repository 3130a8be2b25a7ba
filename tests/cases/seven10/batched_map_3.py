"""Flight delays from CSV, with a reader given as a function argument."""
import functools
import typing

import tensorflow as tf


class Column(typing.NamedTuple):
    name: str
    default: typing.Any


SCHEMA = [Column("delay", 0.0), Column("month", 0), Column("hour", 0),
          Column("distance", 0.0), Column("taxi_out", 0.0), Column("carrier", 0)]


def csv_row(line, schema, target):
    values = tf.io.decode_csv(line, [[c.default] for c in schema])
    row = {c.name: tf.cast(v, tf.float32) for c, v in zip(schema, values)}
    y = row.pop(target)
    return tf.stack(list(row.values()), axis=-1), y


def text_dataset(pattern, *, parse, batch_size, buffer):
    lines = tf.data.Dataset.list_files(pattern, shuffle=True).interleave(
        lambda f: tf.data.TextLineDataset(f).skip(1),
        cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    rows = lines.shuffle(buffer).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    batches = rows.batch(batch_size, drop_remainder=True)
    return batches.prefetch(tf.data.AUTOTUNE)


parse_flight = functools.partial(csv_row, schema=SCHEMA, target="delay")


def main():
    ds = text_dataset("/data/flights/20*.csv", parse=parse_flight,
                      batch_size=2000, buffer=250_000)
    model = tf.keras.Sequential([
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(x, training=True)[:, 0] - y))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(3):
        for i, (x, y) in enumerate(ds):
            loss = step(x, y)
            if i % 500 == 0:
                print(epoch, i, float(loss))


if __name__ == "__main__":
    main()
