import argparse
import itertools

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64)})
    image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    return tf.image.resize(image, [160, 160]) / 255.0, ex["label"]


def load(pattern, batch_size, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
    if training:
        ds = ds.shuffle(10000)
    ds = ds.map(parse, num_parallel_calls=AUTOTUNE).batch(batch_size)
    return ds if training else ds.cache()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="/data/cars")
    p.add_argument("--epochs", type=int, default=100)
    p.add_argument("--eval_steps", type=int, default=25)
    args = p.parse_args()
    train = load(f"{args.root}/train-*.tfrecord", 32, True).prefetch(AUTOTUNE)
    valid = load(f"{args.root}/valid-*.tfrecord", 32, False).prefetch(AUTOTUNE)
    model = tf.keras.applications.MobileNetV2(
        input_shape=(160, 160, 3), weights=None, classes=196)
    opt = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    for epoch in range(args.epochs):
        for images, labels in train:
            train_step(images, labels)
        accuracy.reset_state()
        for images, labels in itertools.islice(valid, args.eval_steps):
            accuracy.update_state(labels, model(images, training=False))
        print(epoch, float(accuracy.result()))


if __name__ == "__main__":
    main()
