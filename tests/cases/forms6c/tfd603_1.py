import argparse

import tensorflow as tf
from tqdm import tqdm


def decode(record):
    parsed = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(parsed["image"], channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, parsed["label"]


def read(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=False)
    ds = ds.shuffle(10_000).repeat()
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="/data/places/train-*")
    parser.add_argument("--batch-size", type=int, default=512)
    parser.add_argument("--steps", type=int, default=100_000)
    args = parser.parse_args()

    strategy = tf.distribute.MirroredStrategy()
    dataset = strategy.experimental_distribute_dataset(read(args.pattern, args.batch_size))
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None, classes=365)
        optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
        loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(reduction="none")

    def replica_step(images, labels):
        with tf.GradientTape() as tape:
            losses = loss_fn(labels, model(images, training=True))
            loss = tf.nn.compute_average_loss(losses, global_batch_size=args.batch_size)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    @tf.function
    def train_step(iterator):
        per_replica = strategy.run(replica_step, args=next(iterator))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, per_replica, axis=None)

    iterator = iter(dataset)
    with tqdm(total=args.steps) as bar:
        for _ in range(args.steps):
            loss = train_step(iterator)
            bar.set_postfix(loss=float(loss))
            bar.update(1)


if __name__ == "__main__":
    main()
