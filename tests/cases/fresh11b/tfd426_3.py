import numpy as np
import tensorflow as tf

CLASSES = 1000


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, image, *rest):
        return (tf.cast(image, tf.float32) - self.mean) / self.std, *rest


class OneHot:
    def __init__(self, depth):
        self.depth = depth

    def __call__(self, image, label, smoothing=0.1):
        target = tf.one_hot(label, self.depth)
        return image, target * (1 - smoothing) + smoothing / self.depth


class Pipeline:
    def __init__(self, *transforms):
        self.transforms = transforms

    def build(self, images, labels, batch_size):
        ds = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(len(images))
        for transform in self.transforms:
            ds = ds.map(transform, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    with np.load("/data/imagenet64/part1.npz") as f:
        images, labels = f["data"].reshape(-1, 64, 64, 3), f["labels"] - 1
    pipeline = Pipeline(Normalize([122.0, 116.0, 104.0], [61.0, 59.0, 61.0]), OneHot(CLASSES))
    model = tf.keras.applications.MobileNetV2(input_shape=(64, 64, 3), weights=None, classes=CLASSES)
    model.compile("adam", "categorical_crossentropy")
    model.fit(pipeline.build(images, labels, 128), epochs=30)


if __name__ == "__main__":
    main()
