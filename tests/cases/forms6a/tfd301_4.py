import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class CarsDataModule:
    def __init__(self, paths, labels, size=128, batch_size=64):
        self.paths = paths
        self.labels = labels
        self.size = size
        self.batch_size = batch_size

    def decode(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [self.size + 16, self.size + 16], antialias=True)
        return tf.cast(image, tf.uint8), label

    def augment(self, image, label):
        image = tf.image.random_crop(image, [self.size, self.size, 3])
        image = tf.image.random_flip_left_right(image)
        image = tf.image.convert_image_dtype(image, tf.float32)
        image = tf.image.random_hue(image, 0.05)
        return image, label

    def source(self):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.shuffle(len(self.paths), seed=3, reshuffle_each_iteration=False)
        return ds.map(self.decode, num_parallel_calls=AUTOTUNE).cache()

    def train_dataset(self):
        ds = self.source().shuffle(1_024)
        ds = ds.map(self.augment, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(AUTOTUNE)


def main():
    paths, labels = [], []
    for index, name in enumerate(sorted(tf.io.gfile.listdir("/data/cars/train"))):
        found = tf.io.gfile.glob(f"/data/cars/train/{name}/*.jpg")
        paths += found
        labels += [index] * len(found)
    data = CarsDataModule(paths, labels)
    model = tf.keras.applications.MobileNetV2(
        input_shape=(128, 128, 3), weights=None, classes=196)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.train_dataset(), epochs=60)


if __name__ == "__main__":
    main()
