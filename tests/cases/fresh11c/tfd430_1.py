import tensorflow as tf


class BaseImages:
    size = (160, 160)

    def decode(self, path):
        return tf.io.decode_image(tf.io.read_file(path), channels=3,
                                  expand_animations=False)

    def finish(self, image):
        return image

    def load(self, path, label):
        image = self.decode(path)
        image = tf.image.resize(image, self.size, antialias=True)
        return self.finish(image), label

    def dataset(self, paths, labels, batch_size=64):
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        ds = ds.shuffle(len(paths))
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


class UnitRangeImages(BaseImages):
    def finish(self, image):
        return tf.image.convert_image_dtype(image, tf.float32)


def train(paths, labels, classes):
    model = tf.keras.applications.ResNet50(
        weights=None, input_shape=(160, 160, 3), classes=classes)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(UnitRangeImages().dataset(paths, labels), epochs=20)
    return model
