import tensorflow as tf
import tensorflow_datasets as tfds


class Experiment:
    def __init__(self, batch_size=64, epochs=20):
        self.batch_size = batch_size
        self.epochs = epochs
        self.model = tf.keras.applications.ResNet50(weights=None, classes=1000)

    def _resize(self, image, label):
        return tf.image.resize(image, [224, 224]) / 255.0, label

    def _train_stages(self, ds):
        ds = ds.shuffle(self.batch_size)
        return ds.map(self._resize, num_parallel_calls=tf.data.AUTOTUNE)

    def _eval_stages(self, ds):
        return ds.map(self._resize, num_parallel_calls=tf.data.AUTOTUNE)

    def data(self, split):
        training = split == "train"
        ds = tfds.load("imagenet2012", split=split, as_supervised=True,
                       shuffle_files=training)
        stages = self._train_stages if training else self._eval_stages
        return stages(ds).batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def run(self):
        self.model.compile("sgd", "sparse_categorical_crossentropy")
        self.model.fit(self.data("train"), validation_data=self.data("validation"),
                       epochs=self.epochs)


if __name__ == "__main__":
    Experiment().run()
