import tensorflow as tf


class Trajectories:
    def __init__(self, pattern):
        self.pattern = pattern

    def positions(self):
        files = tf.data.Dataset.list_files(self.pattern)
        lines = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
        return lines.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)

    def parse(self, line):
        return tf.reshape(tf.strings.to_number(tf.strings.split(line)), [2])

    def steps(self):
        def difference(previous, current):
            return current, (previous, current - previous)

        return self.positions().scan(tf.zeros([2]), difference).skip(1)

    def batches(self):
        return self.steps().shuffle(5000).batch(256).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((2,)),
    tf.keras.layers.Dense(32, activation="tanh"),
    tf.keras.layers.Dense(2),
])
model.compile("adam", "mse")
model.fit(Trajectories("tracks/*.txt").batches(), epochs=10)
