import tensorflow as tf
import tensorflow_datasets as tfds

SPLITS = {
    "train": "train[:90%]",
    "valid": "train[85%:]",
    "test": "validation",
}


def preprocess(image, label):
    return tf.image.resize(image, (128, 128)) / 255.0, label


class FoodData:
    def __init__(self, batch_size=64):
        self.batch_size = batch_size

    def __getitem__(self, name):
        ds = tfds.load("food101", split=SPLITS[name],
                       as_supervised=True, shuffle_files=name == "train")
        ds = ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
        if name == "train":
            ds = ds.shuffle(5000)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    data = FoodData()
    model = tf.keras.applications.EfficientNetV2B0(weights=None, input_shape=(128, 128, 3), classes=101,
                                                   include_preprocessing=False)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["valid"], epochs=20)
    model.evaluate(data["test"])


if __name__ == "__main__":
    main()
