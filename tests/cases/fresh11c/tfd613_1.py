import tensorflow as tf
from tensorflow.keras import mixed_precision


class Experiment:
    def __init__(self, root, classes, precision="mixed_float16"):
        self.root = root
        self.precision = precision
        self.model = self.make_model(classes)

    @staticmethod
    def make_model(classes):
        inputs = tf.keras.Input((224, 224, 3))
        base = tf.keras.applications.EfficientNetV2B0(
            include_top=False, weights="imagenet", pooling="avg", input_tensor=inputs)
        outputs = tf.keras.layers.Dense(classes, dtype="float32")(base.output)
        return tf.keras.Model(inputs, outputs)

    def configure(self):
        if self.precision:
            mixed_precision.set_global_policy(self.precision)
        self.model.compile(
            optimizer=tf.keras.optimizers.Adam(3e-4),
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"])

    def data(self, split):
        ds = tf.keras.utils.image_dataset_from_directory(
            f"{self.root}/{split}", image_size=(224, 224), batch_size=128,
            shuffle=split == "train")
        return ds.prefetch(tf.data.AUTOTUNE)

    def run(self, epochs):
        self.configure()
        self.model.fit(self.data("train"), validation_data=self.data("val"), epochs=epochs)


if __name__ == "__main__":
    Experiment("/data/food", 101).run(10)
