import argparse

import tensorflow as tf
from tqdm import tqdm

AUTOTUNE = tf.data.AUTOTUNE


def make_dataset(folder, subset, args):
    ds = tf.keras.utils.image_dataset_from_directory(
        folder,
        validation_split=0.1,
        subset=subset,
        seed=args.seed,
        image_size=(192, 192),
        batch_size=args.batch_size,
    )
    return ds.prefetch(AUTOTUNE)


def count_steps(ds):
    steps = 0
    for steps, _ in enumerate(ds, start=1):
        pass
    return steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--batch_size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()

    train_ds = make_dataset(args.folder, "training", args)
    steps = count_steps(train_ds)
    model = tf.keras.applications.MobileNetV3Small(weights=None, input_shape=(192, 192, 3), classes=200)
    optimizer = tf.keras.optimizers.SGD(
        tf.keras.optimizers.schedules.PolynomialDecay(0.1, steps * args.epochs), momentum=0.9
    )
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()

    @tf.function
    def train_step(images, labels):
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(images, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(args.epochs):
        bar = tqdm(train_ds, total=steps, desc=f"epoch {epoch}")
        total = tf.constant(0.0)
        for images, labels in bar:
            total += train_step(images, labels)
        print(epoch, float(total) / steps)


if __name__ == "__main__":
    main()
