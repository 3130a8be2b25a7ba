"""Driver distraction / vehicle re-id training with Keras backend image format set once."""
import argparse

import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers

K.set_image_data_format("channels_first")

AUTOTUNE = tf.data.AUTOTUNE
SHAPE = (3, 224, 224)


class ReIdData:
    def __init__(self, root, batch_size):
        self.paths = sorted(tf.io.gfile.glob(f"{root}/*/*.jpg"))
        ids = sorted({p.split("/")[-2] for p in self.paths})
        lookup = {v: i for i, v in enumerate(ids)}
        self.labels = [lookup[p.split("/")[-2]] for p in self.paths]
        self.num_ids = len(ids)
        self.batch_size = batch_size

    def _load(self, path, label):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img, [240, 240])
        img = tf.image.random_crop(img, [224, 224, 3])
        img = tf.image.random_flip_left_right(img)
        img = (img - [123.68, 116.78, 103.94]) / 58.0
        return tf.transpose(img, (2, 0, 1)), label

    def __call__(self):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.shuffle(len(self.paths))
        ds = ds.map(self._load, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(AUTOTUNE)


def bottleneck(x, filters, stride, project):
    shortcut = x
    if project:
        shortcut = layers.Conv2D(4 * filters, 1, strides=stride, use_bias=False)(x)
        shortcut = layers.BatchNormalization(axis=1)(shortcut)
    x = layers.Conv2D(filters, 1, use_bias=False)(x)
    x = layers.ReLU()(layers.BatchNormalization(axis=1)(x))
    x = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False)(x)
    x = layers.ReLU()(layers.BatchNormalization(axis=1)(x))
    x = layers.Conv2D(4 * filters, 1, use_bias=False)(x)
    x = layers.BatchNormalization(axis=1)(x)
    return layers.ReLU()(layers.Add()([x, shortcut]))


def resnet50(num_classes):
    inp = layers.Input(SHAPE)
    x = layers.Conv2D(64, 7, strides=2, padding="same", use_bias=False)(inp)
    x = layers.ReLU()(layers.BatchNormalization(axis=1)(x))
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    for stage, (filters, blocks) in enumerate(zip((64, 128, 256, 512), (3, 4, 6, 3))):
        for b in range(blocks):
            x = bottleneck(x, filters, 2 if b == 0 and stage > 0 else 1, b == 0)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, layers.Dense(num_classes)(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default="/data/veri_wild/train")
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--epochs", type=int, default=90)
    args = ap.parse_args()
    data = ReIdData(args.root, args.batch_size)
    with tf.distribute.MirroredStrategy().scope():
        model = resnet50(data.num_ids)
        model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
                      tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data(), epochs=args.epochs)


if __name__ == "__main__":
    main()
