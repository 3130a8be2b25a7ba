import tensorflow as tf
import tensorflow_datasets as tfds


class BaseData:
    name = "fashion_mnist"

    def __init__(self, batch_size):
        self.batch_size = batch_size

    def raw(self, split):
        return tfds.load(self.name, split=split, as_supervised=True).cache()

    def order(self, ds):
        return ds

    def augment(self, ds):
        return ds

    def get(self, split):
        ds = self.order(self.raw(split)).batch(self.batch_size)
        return self.augment(ds).prefetch(tf.data.AUTOTUNE)


class TrainData(BaseData):
    def order(self, ds):
        return ds.shuffle(60000)

    def augment(self, ds):
        flip = tf.keras.layers.RandomFlip("horizontal")
        return ds.map(lambda x, y: (flip(x, training=True), y),
                      num_parallel_calls=tf.data.AUTOTUNE)


def main():
    train = TrainData(256).get("train")
    test = BaseData(256).get("test")
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255.0),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=test, epochs=30)


if __name__ == "__main__":
    main()
