import pathlib

import numpy as np
import tensorflow as tf

from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("images", "/data/products", "directory of JPEG files (1.2M)")
flags.DEFINE_string("out", "/data/products/features.npy", "where to write")


class Extractor:
    def __init__(self):
        self.model = tf.keras.applications.ResNet50(include_top=False, pooling="avg")

    def load(self, path):
        image = tf.keras.utils.load_img(path, target_size=(224, 224))
        array = tf.keras.utils.img_to_array(image)
        return tf.keras.applications.resnet50.preprocess_input(array)

    def __call__(self, path):
        return self.model.predict(np.expand_dims(self.load(path), 0), verbose=0)[0]


def main(_):
    extract = Extractor()
    features = []
    for path in sorted(pathlib.Path(FLAGS.images).rglob("*.jpg")):
        features.append(extract(path))
    features = np.stack(features)
    np.save(FLAGS.out, features)

    head = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(2048)])
    head.compile("adam", "mse")
    head.fit(features, features, batch_size=512, epochs=10)


if __name__ == "__main__":
    app.run(main)
