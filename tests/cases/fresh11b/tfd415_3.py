import tensorflow as tf
import tensorflow_datasets as tfds


class DataModule:
    def __init__(self, batch_size=256):
        self.batch_size = batch_size

    def _finish(self, ds, training):
        ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=training).prefetch(tf.data.AUTOTUNE)

    def train_dataloader(self):
        ds = tfds.load("cifar100", split="train", as_supervised=True, shuffle_files=True)
        return self._finish(ds.shuffle(50_000), training=True)

    def test_dataloader(self):
        return self._finish(tfds.load("cifar100", split="test", as_supervised=True), training=False)


def main():
    dm = DataModule()
    model = tf.keras.Sequential([
        tf.keras.Input((32, 32, 3)),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(100),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(dm.train_dataloader(), epochs=30)
    print("test", model.evaluate(dm.test_dataloader(), return_dict=True))


if __name__ == "__main__":
    main()
