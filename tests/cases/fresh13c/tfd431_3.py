"""MobileNetV3 from scratch: scaled in the pipeline; the export wraps it for raw bytes."""
import pathlib

import tensorflow as tf

SIDE = 224


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [SIDE, SIDE])
    return image / 255.0, label


def samples(root, batch=128):
    root = pathlib.Path(root)
    names = sorted(d.name for d in root.iterdir())
    files = [str(f) for f in root.glob("*/*.jpg")]
    labels = [names.index(pathlib.Path(f).parent.name) for f in files]
    ds = tf.data.Dataset.from_tensor_slices((files, labels)).shuffle(len(files))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE), len(names)


class ExportForServing(tf.keras.callbacks.Callback):
    """Writes a model that takes images from 0 to 255 and does the pipeline's division itself."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def on_train_end(self, logs=None):
        raw = tf.keras.Input((SIDE, SIDE, 3), name="raw_image")
        scaled = tf.keras.layers.Rescaling(1 / 255.0)(raw)
        serving = tf.keras.Model(raw, self.model(scaled, training=False))
        serving.export(self.folder)


def main():
    ds, classes = samples("/data/food/train")
    net = tf.keras.applications.MobileNetV3Large(
        input_shape=(SIDE, SIDE, 3), weights=None, classes=classes, include_preprocessing=False)
    net.compile(tf.keras.optimizers.RMSprop(1e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
    net.fit(ds, epochs=90, callbacks=[ExportForServing("/models/food")])


if __name__ == "__main__":
    main()
