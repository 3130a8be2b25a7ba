from dataclasses import dataclass, field

import keras
import tensorflow as tf


@dataclass
class Job:
    root: str = "aircraft"
    limit: int = 40
    epochs: int = 6
    size: tuple = field(default=(224, 224))

    def load(self):
        ds = keras.utils.image_dataset_from_directory(self.root, image_size=self.size, shuffle=False)
        ds = ds.map(self.features, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.cache()

    def features(self, x, y):
        return keras.applications.resnet50.preprocess_input(x), y

    def run(self, model):
        data = self.load()
        if self.limit:
            data = data.take(self.limit)
        return model.fit(data.prefetch(tf.data.AUTOTUNE), epochs=self.epochs)


backbone = keras.applications.ResNet50(include_top=False, pooling="avg")
backbone.trainable = False
classifier = keras.Sequential([backbone, keras.layers.Dense(100, activation="softmax")])
classifier.compile("adam", "sparse_categorical_crossentropy")
Job().run(classifier)
