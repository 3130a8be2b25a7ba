import argparse
import os

import tensorflow as tf


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", default="/data/landuse/train")
    parser.add_argument("--batch_size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=60000)
    parser.add_argument("--lr", type=float, default=3e-4)
    parser.add_argument("--logdir", default="runs/landuse")
    return parser.parse_args()


def decode(raw):
    parsed = tf.io.parse_single_example(raw, {
        "patch": tf.io.FixedLenFeature([], tf.string),
        "class": tf.io.FixedLenFeature([], tf.int64)})
    patch = tf.io.decode_raw(parsed["patch"], tf.uint16)
    patch = tf.reshape(patch, (64, 64, 13))
    return tf.cast(patch, tf.float32) / 10000.0, parsed["class"]


def flips(patch, label):
    patch = tf.image.random_flip_left_right(patch)
    return tf.image.random_flip_up_down(patch), label


def train_pipeline(args):
    shards = tf.io.gfile.glob(os.path.join(args.records, "*.tfrecord"))
    ds = tf.data.TFRecordDataset(shards, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.repeat()
    ds = ds.cache()
    ds = ds.shuffle(5000)
    ds = ds.map(flips, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(args.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    args = get_args()
    model = tf.keras.applications.ResNet50(
        weights=None, input_shape=(64, 64, 13), classes=10, classifier_activation=None)
    optimizer = tf.keras.optimizers.Adam(args.lr)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    writer = tf.summary.create_file_writer(args.logdir)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        optimizer.apply_gradients(
            zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    iterator = iter(train_pipeline(args))
    for i in range(args.steps):
        loss = step(*next(iterator))
        if i % 500 == 0:
            with writer.as_default(step=i):
                tf.summary.scalar("loss", loss)


if __name__ == "__main__":
    main()
