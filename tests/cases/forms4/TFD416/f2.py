import numpy as np
import tensorflow as tf


def load(pattern):
    lines = tf.data.TextLineDataset(tf.io.gfile.glob(pattern))
    return lines.map(
        lambda line: tf.strings.to_number(tf.strings.split(line, ",")),
        num_parallel_calls=tf.data.AUTOTUNE,
    ).prefetch(tf.data.AUTOTUNE)


def statistics(rows):
    total, squares, count = 0.0, 0.0, 0
    for row in rows:
        total += row
        squares += row**2
        count += 1
    mean = total / count
    return mean, np.sqrt(squares / count - mean**2)


def main():
    rows = load("measurements/*.csv").as_numpy_iterator()
    mean, std = statistics(rows)
    normalized = np.stack([(row - mean) / std for row in rows])
    np.save("normalized.npy", normalized)


if __name__ == "__main__":
    main()
