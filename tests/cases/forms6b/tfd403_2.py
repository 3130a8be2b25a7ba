import dataclasses

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Settings:
    files: str = "/data/imu/train-*.tfrecord"
    batch: int = 128
    total_steps: int = 40_000
    log_every: int = 200


def parse(records):
    row = tf.io.parse_example(
        records,
        {"signal": tf.io.FixedLenFeature([600], tf.float32), "activity": tf.io.FixedLenFeature([], tf.int64)},
    )
    return tf.reshape(row["signal"], [-1, 100, 6]), row["activity"]


def training_data(s: Settings):
    files = tf.data.Dataset.list_files(s.files)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).repeat().batch(s.batch)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    s = Settings()
    ds = training_data(s)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.LSTM(64),
        tf.keras.layers.Dense(12),
    ])
    optimizer = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def update(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    step = 0
    while step < s.total_steps:
        for signal, activity in ds.take(1):
            loss = update(signal, activity)
        step += 1
        if step % s.log_every == 0:
            print(f"{step}: {loss.numpy():.4f}")


if __name__ == "__main__":
    main()
