import argparse

import tensorflow as tf
import tensorflow_datasets as tfds


def build_replicas(gpus):
    replicas = []
    for gpu in gpus:
        with tf.device(gpu.name):
            replicas.append(tf.keras.applications.DenseNet121(
                weights=None, input_shape=(128, 128, 3), classes=101,
                classifier_activation=None))
    return replicas


def replica_gradients(model, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    return tape.gradient(loss, model.trainable_variables)


def data(batch_size):
    ds = tfds.load("food101", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(5000)
    ds = ds.map(lambda x, y: (tf.image.resize(x, (128, 128)) / 255.0, y),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=512)
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()

    gpus = tf.config.list_logical_devices("GPU")
    replicas = build_replicas(gpus)
    optimizers = [tf.keras.optimizers.Adam() for _ in gpus]
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    gradient_fns = [tf.function(replica_gradients) for _ in gpus]

    for epoch in range(args.epochs):
        for images, labels in data(args.batch_size):
            parts = zip(tf.split(images, len(gpus)), tf.split(labels, len(gpus)))
            towers = []
            for i, (x, y) in enumerate(parts):
                with tf.device(gpus[i].name):
                    towers.append(gradient_fns[i](replicas[i], loss_fn, x, y))
            mean = [tf.add_n(list(group)) / len(gpus) for group in zip(*towers)]
            for model, optimizer in zip(replicas, optimizers):
                optimizer.apply_gradients(zip(mean, model.trainable_variables))
        replicas[0].save(f"/ckpt/food-{epoch}.keras")


if __name__ == "__main__":
    main()
