import tensorflow as tf


def parse(line):
    fields = tf.io.decode_csv(line, record_defaults=[0.0] * 8 + [0])
    return tf.stack(fields[:-1]), fields[-1]


def read(path):
    ds = tf.data.TextLineDataset(path).skip(1)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)


real = read("real.csv")
simulated = read("simulated.csv")
train = real.concatenate(simulated)
train = train.shuffle(10_000).repeat()
train = train.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((8,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train, epochs=10, steps_per_epoch=200)
