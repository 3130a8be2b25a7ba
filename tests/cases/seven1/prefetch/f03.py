import tensorflow as tf


class SegmentationTrainer:
    def __init__(self, image_glob, batch_size=16):
        self.image_glob = image_glob
        self.batch_size = batch_size
        self.dataset = None

    def _load(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        mask_path = tf.strings.regex_replace(path, "images", "masks")
        mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
        image = tf.image.resize(image, (256, 256)) / 255.0
        mask = tf.image.resize(mask, (256, 256), method="nearest")
        return image, mask

    def prepare(self):
        ds = tf.data.Dataset.list_files(self.image_glob)
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(500)
        self.dataset = ds.batch(self.batch_size)

    def train(self, model, epochs):
        model.compile("adam", "sparse_categorical_crossentropy")
        model.fit(self.dataset, epochs=epochs)


def unet():
    inp = tf.keras.Input((256, 256, 3))
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inp)
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(5, 1, activation="softmax")(x))


trainer = SegmentationTrainer("/data/cityscapes/images/*.png")
trainer.prepare()
trainer.train(unet(), epochs=40)
