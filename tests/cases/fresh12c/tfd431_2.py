"""Flower recognition for a phone app."""
import tensorflow as tf
from tensorflow import keras

SIZE = (224, 224)


class FlowerTrainer:
    def __init__(self, folder, batch_size=96):
        self.raw_train, self.raw_val = keras.utils.image_dataset_from_directory(
            folder, validation_split=0.15, subset="both", seed=21,
            image_size=SIZE, batch_size=batch_size)
        self.n_classes = len(self.raw_train.class_names)
        self.scale = keras.layers.Rescaling(1.0 / 255)

    def _feed(self, ds):
        ds = ds.map(lambda x, y: (self.scale(x), y), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    def network(self):
        trunk = keras.applications.MobileNetV3Large(include_top=False, input_shape=SIZE + (3,))
        trunk.trainable = False
        inputs = keras.Input(SIZE + (3,))
        h = trunk(inputs, training=False)
        h = keras.layers.GlobalAveragePooling2D()(h)
        h = keras.layers.Dropout(0.2)(h)
        return keras.Model(inputs, keras.layers.Dense(self.n_classes, activation="softmax")(h))

    def fit(self, epochs):
        net = self.network()
        net.compile(keras.optimizers.Adam(1e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
        net.fit(self._feed(self.raw_train), validation_data=self._feed(self.raw_val), epochs=epochs,
                callbacks=[keras.callbacks.EarlyStopping(patience=3, restore_best_weights=True)])
        return net


if __name__ == "__main__":
    trained = FlowerTrainer("/data/flowers102").fit(30)
    trained.export("flowers_savedmodel")
