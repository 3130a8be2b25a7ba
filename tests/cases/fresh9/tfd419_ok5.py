import tensorflow as tf

SECONDS, WINDOW = 86_400, 60


def minute_mean(window):
    total, count = window.reduce(
        (0.0, 0.0), lambda state, x: (state[0] + x, state[1] + 1.0))
    return total / count


def minute_peak(window):
    values = window.batch(WINDOW, drop_remainder=True).get_single_element()
    return tf.reduce_max(values)


def power_readings(pattern):
    files = tf.io.gfile.glob(pattern)
    lines = tf.data.TextLineDataset(sorted(files))
    return lines.map(lambda s: tf.strings.to_number(tf.strings.split(s, ",")[1]))


AGGREGATES = {"mean": minute_mean, "peak": minute_peak}


def minutes(pattern, how):
    windows = power_readings(pattern).window(WINDOW, shift=WINDOW, drop_remainder=True)
    return windows.map(AGGREGATES[how], num_parallel_calls=tf.data.AUTOTUNE)


def train_data(pattern, history=120):
    pair = tf.data.Dataset.zip((minutes(pattern, "mean"), minutes(pattern, "peak")))
    pair = pair.map(lambda m, p: tf.stack([m, p])).batch(history + 1, drop_remainder=True)
    pair = pair.map(lambda s: (s[:-1], s[-1, 0]))
    return pair.shuffle(5000).batch(64).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.GRU(64), tf.keras.layers.Dense(1)])
    model.compile("adam", "mae")
    model.fit(train_data("/data/ukdale/house1-*.csv"), epochs=25)
