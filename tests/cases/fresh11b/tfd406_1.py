import tensorflow as tf
import tensorflow_datasets as tfds


class Trainer:
    def __init__(self, dataset, batch_size, epochs):
        self.raw = dataset
        self.batch_size = batch_size
        self.epochs = epochs

    def steps_per_epoch(self):
        n = self.raw.reduce(tf.constant(0, tf.int64), lambda acc, _: acc + 1).numpy()
        return int(n) // self.batch_size

    def schedule(self):
        return tf.keras.optimizers.schedules.CosineDecay(0.1, self.steps_per_epoch() * self.epochs)

    def pipeline(self):
        ds = self.raw.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.shuffle(10_000).batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def fit(self, model):
        model.compile(tf.keras.optimizers.SGD(self.schedule(), momentum=0.9),
                      tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        model.fit(self.pipeline(), epochs=self.epochs)


def main():
    train = tfds.load("svhn_cropped", split="train", as_supervised=True, shuffle_files=True)
    model = tf.keras.Sequential([
        tf.keras.Input((32, 32, 3)), tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(10)])
    Trainer(train, 256, 30).fit(model)


if __name__ == "__main__":
    main()
