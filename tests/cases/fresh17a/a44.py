"""Dish recognition, multi GPU."""
import tensorflow as tf
import tensorflow_datasets as tfds


def jitter(strength):
    return tf.keras.Sequential([
        tf.keras.layers.RandomFlip("horizontal_and_vertical"),
        tf.keras.layers.RandomRotation(strength),
    ])


class Pipeline:
    side = 128

    def __init__(self, batch):
        self.batch = batch

    def steps(self, training):
        yield self.scale
        if training:
            yield self.perturb

    def scale(self, image, label):
        image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, (self.side, self.side))
        return image, label

    def perturb(self, image, label):
        gain = tf.Variable(0.9, trainable=False)
        image = jitter(0.5)(image[tf.newaxis], training=True)[0]
        return image * gain, label

    def __call__(self, split, training):
        ds = tfds.load("food101", split=split, as_supervised=True, shuffle_files=training)
        if training:
            ds = ds.shuffle(10_000)
        for step in self.steps(training):
            ds = ds.map(step, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MirroredStrategy()
    make = Pipeline(32 * strategy.num_replicas_in_sync)
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(101),
        ])
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(make("train", True), validation_data=make("validation", False), epochs=15)


main()
