import argparse

import tensorflow as tf
from tqdm import tqdm


def parse(records):
    parsed = tf.io.parse_example(records, {
        "features": tf.io.FixedLenFeature([256], tf.float32),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    return parsed["features"], parsed["label"]


def read(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=False)
    ds = ds.shuffle(100_000).repeat().batch(batch_size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="/data/vectors/train-*")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--log-every", type=int, default=200)
    args = parser.parse_args()

    model = tf.keras.Sequential([
        tf.keras.layers.Dense(1024, activation="relu"), tf.keras.layers.Dense(500)])
    optimizer = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    mean_loss = tf.keras.metrics.Mean()
    writer = tf.summary.create_file_writer("/logs/vectors")

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean_loss.update_state(loss)

    iterator = iter(read(args.pattern, 1024))
    with tqdm(total=args.steps) as bar, writer.as_default():
        for step in range(args.steps):
            train_step(*next(iterator))
            if (step + 1) % args.log_every == 0:
                value = float(mean_loss.result())
                tf.summary.scalar("loss", value, step=step)
                bar.set_postfix(loss=value)
                bar.update(args.log_every)
                mean_loss.reset_state()


if __name__ == "__main__":
    main()
