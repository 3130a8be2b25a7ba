"""Sign language letters; loss and optimizer come from tables of options."""
import argparse

import tensorflow as tf

LOSSES = {
    "smooth": lambda: tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1),
    "hard": lambda: tf.keras.losses.CategoricalCrossentropy(from_logits=True),
}
OPTIMIZERS = {"adam": tf.keras.optimizers.Adam, "sgd": tf.keras.optimizers.SGD}


def letters(folder, part, side, batch):
    options = dict(image_size=(side, side), batch_size=batch, color_mode="grayscale", validation_split=0.15, seed=17)
    ds = tf.keras.utils.image_dataset_from_directory(folder, subset=part, **options)
    names = ds.class_names
    ds = ds.map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE), names


def convnet(classes):
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(classes),
    ])


class Trainer:
    def __init__(self, net, loss, opt):
        self.net, self.loss, self.opt = net, loss, opt

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            value = self.loss(y, self.net(x, training=True))
        grads = tape.gradient(value, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return value

    def epoch(self, ds):
        mean = tf.keras.metrics.Mean()
        for x, y in ds:
            mean.update_state(self.step(x, y))
        return float(mean.result())


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--folder", default="/data/asl")
    p.add_argument("--loss", choices=LOSSES, default="smooth")
    p.add_argument("--optimizer", choices=OPTIMIZERS, default="adam")
    p.add_argument("--epochs", type=int, default=15)
    a = p.parse_args()
    train, names = letters(a.folder, "training", 96, 64)
    trainer = Trainer(convnet(len(names)), LOSSES[a.loss](), OPTIMIZERS[a.optimizer](1e-3))
    for e in range(a.epochs):
        print(e, trainer.epoch(train))


if __name__ == "__main__":
    main()
