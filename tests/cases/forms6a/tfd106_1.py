import tensorflow as tf

INPUT = {
    "pattern": "/data/pets/images/*.jpg",
    "image_size": (256, 256),
    "batch_size": 64,
    "map_args": {"num_parallel_calls": 12, "deterministic": False},
}


class PetsTrainer:
    def __init__(self, options, class_names):
        self.options = options
        self.lookup = tf.keras.layers.StringLookup(
            vocabulary=class_names, num_oov_indices=0)
        self.model = self.build_model(len(class_names))

    def load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, self.options["image_size"])
        name = tf.strings.split(path, "/")[-1]
        breed = tf.strings.regex_replace(name, r"_\d+\.jpg$", "")
        return image / 255.0, self.lookup(breed)

    def make_dataset(self):
        paths = tf.io.gfile.glob(self.options["pattern"])
        ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))
        ds = ds.map(self.load, **self.options["map_args"])
        ds = ds.batch(self.options["batch_size"])
        return ds.prefetch(tf.data.AUTOTUNE)

    def build_model(self, classes):
        model = tf.keras.applications.EfficientNetB0(
            weights=None, classes=classes, input_shape=(256, 256, 3))
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        return model

    def run(self, epochs):
        return self.model.fit(self.make_dataset(), epochs=epochs)


if __name__ == "__main__":
    with open("/data/pets/classes.txt") as f:
        names = f.read().split()
    PetsTrainer(INPUT, names).run(epochs=30)
