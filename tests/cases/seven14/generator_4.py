"""Skin lesion segmentation with albumentations."""
import albumentations as A
import numpy as np
import tensorflow as tf

train_aug = A.Compose([
    A.RandomResizedCrop(size=(256, 256), scale=(0.5, 1.0)),
    A.HorizontalFlip(p=0.5),
    A.ElasticTransform(p=0.2),
    A.RandomBrightnessContrast(p=0.3),
])
plain_aug = A.Compose([A.Resize(256, 256)])


def adapter(aug):
    """Makes an albumentations pipeline usable as a map function."""
    def call(image, mask):
        out = aug(image=image, mask=mask)
        return out["image"].astype(np.uint8), out["mask"].astype(np.uint8)

    def fn(image, mask):
        image, mask = tf.numpy_function(call, [image, mask], [tf.uint8, tf.uint8])
        return tf.ensure_shape(image, (256, 256, 3)), tf.ensure_shape(mask, (256, 256, 1))
    return fn


def read_pair(img, msk):
    x = tf.io.decode_jpeg(tf.io.read_file(img), channels=3)
    y = tf.io.decode_png(tf.io.read_file(msk), channels=1)
    return tf.cast(tf.image.resize(x, [512, 512]), tf.uint8), tf.image.resize(y, [512, 512], "nearest")


def isic(split, aug, batch=16):
    x = sorted(tf.io.gfile.glob(f"/data/isic/{split}/*.jpg"))
    y = [p.replace(".jpg", "_segmentation.png") for p in x]
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = ds.map(read_pair, num_parallel_calls=tf.data.AUTOTUNE).cache()
    if split == "train":
        ds = ds.shuffle(1000)
    ds = ds.map(adapter(aug), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def model():
    inp = tf.keras.Input((256, 256, 3))
    x = tf.keras.layers.Rescaling(1 / 255.0)(inp)
    x = tf.keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2D(128, 3, strides=2, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2DTranspose(64, 4, strides=4, activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


m = model()
m.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.BinaryIoU([1])])
m.fit(isic("train", train_aug), validation_data=isic("val", plain_aug), epochs=80)
