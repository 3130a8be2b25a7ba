import tensorflow as tf

from reader import samples

LENGTH = 100


def to_sequences(ds):
    signals = ds.window(LENGTH, shift=LENGTH // 2, drop_remainder=True)
    signals = signals.flat_map(
        lambda x, y: tf.data.Dataset.zip((x.batch(LENGTH), y.batch(LENGTH)))
    )
    return signals.map(lambda x, y: (x, y[-1]), num_parallel_calls=tf.data.AUTOTUNE)


train = to_sequences(samples("accelerometer"))
train = train.shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((LENGTH, 3)),
    tf.keras.layers.LSTM(32),
    tf.keras.layers.Dense(6, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=10)
