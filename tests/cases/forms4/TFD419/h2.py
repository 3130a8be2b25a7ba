import tensorflow as tf


def read_column(path, column):
    lines = tf.data.TextLineDataset(path).skip(1)
    return lines.map(
        lambda line: tf.strings.to_number(tf.strings.split(line, ";")[column]),
        num_parallel_calls=tf.data.AUTOTUNE,
    ).prefetch(tf.data.AUTOTUNE)


def moving_average(values, width):
    averages = []
    for window in values.window(width, shift=1, drop_remainder=True):
        numbers = list(window.as_numpy_iterator())
        averages.append(sum(numbers) / width)
    return averages


def main():
    temperature = read_column("station.csv", 3)
    for day, value in enumerate(moving_average(temperature, width=7)):
        print(day, round(float(value), 2))


if __name__ == "__main__":
    main()
