"""Registry of the small Keras datasets with one common input function."""
import argparse
import tensorflow as tf

LOADERS = {
    "mnist": (tf.keras.datasets.mnist.load_data, 10),
    "fashion": (tf.keras.datasets.fashion_mnist.load_data, 10),
    "cifar10": (tf.keras.datasets.cifar10.load_data, 10),
    "cifar100": (tf.keras.datasets.cifar100.load_data, 100),
}


class Standardise:
    def __init__(self, x):
        self.mean = tf.constant(x.mean(), tf.float32)
        self.std = tf.constant(x.std(), tf.float32)

    def __call__(self, image, label):
        image = (tf.cast(image, tf.float32) - self.mean) / self.std
        return image, tf.squeeze(tf.cast(label, tf.int32))


def load(name):
    fn, classes = LOADERS[name]
    (x, y), (xt, yt) = fn()
    if x.ndim == 3:
        x, xt = x[..., None], xt[..., None]
    return (x, y.reshape(-1)), (xt, yt.reshape(-1)), classes


def input_fn(arrays, preprocess, batch, training):
    ds = tf.data.Dataset.from_tensor_slices(arrays)
    if training:
        ds = ds.shuffle(len(arrays[0]))
    return (ds
            .map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch)
            .prefetch(tf.data.AUTOTUNE))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--dataset", choices=sorted(LOADERS), default="cifar10")
    p.add_argument("--batch", type=int, default=256)
    args = p.parse_args()
    train, test, classes = load(args.dataset)
    pre = Standardise(train[0])
    net = tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(classes)])
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    net.fit(input_fn(train, pre, args.batch, True),
            validation_data=input_fn(test, pre, args.batch, False), epochs=30)


if __name__ == "__main__":
    main()
