import tensorflow as tf

EPOCHS = 8


def read_rows(path):
    return tf.data.TextLineDataset(path).skip(1)


def parse(line):
    cols = tf.io.decode_csv(line, [0.0] * 9)
    return tf.stack(cols[:8]), cols[8]


def with_epochs(ds):
    return ds.repeat(EPOCHS)


def finish(ds):
    ds = ds.cache("/tmp/rows")
    return ds.batch(128).prefetch(tf.data.AUTOTUNE)


def main():
    rows = read_rows("housing.csv").shuffle(20000)
    rows = rows.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    train = finish(with_epochs(rows))
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.Adam()
    for x, y in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x)[:, 0] - y))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))


if __name__ == "__main__":
    main()
