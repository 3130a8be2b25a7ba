import random

import tensorflow as tf


class Augmenter:
    def __init__(self, cfg):
        self.max_delta = cfg["brightness"]
        self.crop = cfg["crop"]

    def brightness(self, image):
        delta = random.uniform(-self.max_delta, self.max_delta)
        return tf.image.adjust_brightness(image, delta)

    def random_crop(self, image):
        return tf.image.random_crop(image, [self.crop, self.crop, 3])

    def __call__(self, image, label):
        for op in (self.random_crop, self.brightness, tf.image.random_flip_left_right):
            image = op(image)
        return image, label


class ImageFolder:
    def __init__(self, root, cfg):
        self.root = root
        self.cfg = cfg
        self.augment = Augmenter(cfg["augment"])

    def decode(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [256, 256]) / 255.0, label

    def train(self):
        classes = sorted(tf.io.gfile.listdir(self.root))
        pairs = [(f, i) for i, c in enumerate(classes)
                 for f in tf.io.gfile.glob(f"{self.root}/{c}/*.jpg")]
        files, labels = map(list, zip(*pairs))
        ds = tf.data.Dataset.from_tensor_slices((files, labels)).shuffle(len(files))
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg["batch_size"]).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    config = {"batch_size": 64, "augment": {"brightness": 0.3, "crop": 224}}
    model = tf.keras.applications.MobileNetV2(weights=None, classes=120)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ImageFolder("/data/dogs/train", config).train(), epochs=40)
