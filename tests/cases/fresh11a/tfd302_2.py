import tensorflow as tf
import tensorflow_datasets as tfds


class BaseData:
    name = ""
    buffer = 10000

    def __init__(self, batch_size):
        self.batch_size = batch_size

    def raw(self, split):
        return tfds.load(self.name, split=split, as_supervised=True)

    def order(self, ds):
        return ds

    def finish(self, ds):
        ds = ds.cache()
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def get(self, split):
        return self.finish(self.order(self.raw(split)))


class TrainData(BaseData):
    name = "fashion_mnist"
    buffer = 60000

    def order(self, ds):
        return ds.shuffle(self.buffer)


class EvalData(BaseData):
    name = "fashion_mnist"


def main():
    train = TrainData(256).get("train")
    test = EvalData(256).get("test")
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
