import tensorflow as tf
from tqdm import tqdm


def parse(record):
    example = tf.io.parse_single_example(record, {
        "x": tf.io.FixedLenFeature([48], tf.float32),
        "y": tf.io.FixedLenFeature([1], tf.float32),
    })
    return example["x"], example["y"]


def batches(path):
    ds = tf.data.TFRecordDataset(path).shuffle(5000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return iter(ds.batch(64).prefetch(tf.data.AUTOTUNE))


def train(model, path):
    data = batches(path)
    total = sum(1 for _ in data)
    for x, y in tqdm(data, total=total):
        model.train_on_batch(x, y)
    model.save("regressor.keras")


if __name__ == "__main__":
    network = tf.keras.Sequential([
        tf.keras.Input((48,)),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    network.compile("adam", "mse")
    train(network, "sensors.tfrecord")
