import tensorflow as tf


class TransferLearner:
    def __init__(self, directory, size=224):
        self.directory = directory
        self.size = size
        self.rescale = tf.keras.layers.Rescaling(1 / 255)

    def data(self, split, shuffle):
        ds = tf.keras.utils.image_dataset_from_directory(
            f"{self.directory}/{split}",
            image_size=(self.size, self.size),
            label_mode="binary",
            shuffle=shuffle,
        )
        ds = ds.map(
            lambda images, labels: (self.rescale(images), labels),
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        return ds.prefetch(tf.data.AUTOTUNE)

    def network(self):
        backbone = tf.keras.applications.MobileNetV3Small(
            input_shape=(self.size, self.size, 3), include_top=False, pooling="avg"
        )
        backbone.trainable = False
        outputs = tf.keras.layers.Dense(1, activation="sigmoid")(backbone.output)
        return tf.keras.Model(backbone.input, outputs)

    def run(self):
        model = self.network()
        model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
        model.fit(self.data("train", True), validation_data=self.data("val", False), epochs=5)


TransferLearner("ants_bees").run()
