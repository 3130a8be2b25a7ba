import argparse

import tensorflow as tf


def decode(serialized):
    parsed = tf.io.parse_single_example(serialized, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(parsed["image/encoded"], channels=3)
    image = tf.image.resize(image, [224, 224]) / 255.0
    return image, parsed["image/class/label"] - 1


def train_batches(args, start_step=0):
    files = sorted(tf.io.gfile.glob(args.pattern))
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=16)
    ds = ds.shuffle(20_000, seed=args.seed).repeat()
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(args.batch_size, drop_remainder=True)
    if start_step > 0:
        ds = ds.skip(start_step)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="/imagenet/train-*")
    parser.add_argument("--batch_size", type=int, default=256)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ckpt_dir", default="/ckpt/rn50")
    args = parser.parse_args()

    model = tf.keras.applications.ResNet50(weights=None)
    optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
    step = tf.Variable(0, dtype=tf.int64)
    ckpt = tf.train.Checkpoint(model=model, optimizer=optimizer, step=step)
    manager = tf.train.CheckpointManager(ckpt, args.ckpt_dir, max_to_keep=3)
    ckpt.restore(manager.latest_checkpoint)

    @tf.function
    def train_step(images, labels):
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(images, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        step.assign_add(1)

    start = int(step.numpy())
    for i, (images, labels) in enumerate(train_batches(args, start), start):
        train_step(images, labels)
        if i % 2000 == 1999:
            manager.save()
        if i >= 450_000:
            break


if __name__ == "__main__":
    main()
