import functools

import tensorflow as tf
import tensorflow_datasets as tfds

OPTIONS = dict(image_size=96, batch_size=128, epochs=50, lr=1e-3)


def stage(fn):
    """Lets a function on datasets be applied by name with the global options."""
    @functools.wraps(fn)
    def inner(ds):
        return fn(ds, OPTIONS)
    inner.is_stage = True
    return inner


@stage
def shuffled(ds, opt):
    return ds.shuffle(2040)


@stage
def sized(ds, opt):
    side = opt["image_size"]

    def f(image, label):
        return tf.image.resize(image, [side, side]) / 255.0, label

    return ds.map(f, num_parallel_calls=tf.data.AUTOTUNE)


@stage
def twice(ds, opt):
    return ds.repeat(2)


@stage
def batched(ds, opt):
    return ds.batch(opt["batch_size"], drop_remainder=True)


@stage
def ahead(ds, opt):
    return ds.prefetch(tf.data.AUTOTUNE)


TRAIN_STAGES = [shuffled, twice, sized, batched, ahead]


def flowers():
    ds, info = tfds.load("oxford_flowers102", split="train", as_supervised=True,
                         with_info=True, shuffle_files=True)
    for s in TRAIN_STAGES:
        ds = s(ds)
    # 1020 pictures in this split
    per_epoch = info.splits["train"].num_examples // OPTIONS["batch_size"]
    return ds, per_epoch


class FlowerNet(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.body = tf.keras.applications.EfficientNetB0(
            include_top=False, weights=None, pooling="avg")
        self.head = tf.keras.layers.Dense(102)

    def call(self, x, training=False):
        return self.head(self.body(x * 255.0, training=training))


if __name__ == "__main__":
    train, per_epoch = flowers()
    net = FlowerNet()
    net.compile(tf.keras.optimizers.Adam(OPTIONS["lr"]),
                tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                metrics=["accuracy"])
    net.fit(train, epochs=OPTIONS["epochs"], steps_per_epoch=per_epoch)
