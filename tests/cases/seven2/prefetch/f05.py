import tensorflow as tf


class ImageSource:
    def __init__(self, pattern, batch_size):
        self.pattern = pattern
        self.batch_size = batch_size

    def decode(self, path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(img, (200, 200)), tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)

    def build(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.shuffle(1000).batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


class AugmentedSource(ImageSource):
    flip = tf.keras.layers.RandomFlip("horizontal")
    zoom = tf.keras.layers.RandomZoom(0.2)

    def augment(self, images, labels):
        return self.zoom(self.flip(images, training=True), training=True), labels

    def build(self):
        return super().build().map(self.augment, num_parallel_calls=tf.data.AUTOTUNE)


train_data = AugmentedSource("/data/fruit/train/*/*.jpg", 32).build()
val_data = ImageSource("/data/fruit/val/*/*.jpg", 32).build()
model = tf.keras.applications.MobileNetV3Large(weights=None, classes=131, input_shape=(200, 200, 3))
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train_data, validation_data=val_data, epochs=30)
