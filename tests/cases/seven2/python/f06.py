# %%
import imgaug.augmenters as iaa
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
seq = iaa.Sequential([iaa.Fliplr(0.5), iaa.Affine(rotate=(-20, 20)), iaa.GaussianBlur((0, 1.0))])


# %%
def decode(img_path, mask_path):
    img = tf.io.decode_jpeg(tf.io.read_file(img_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    return (tf.cast(tf.image.resize(img, (256, 256)), tf.uint8),
            tf.cast(tf.image.resize(mask, (256, 256), method="nearest"), tf.int32))


def aug(img, mask):
    det = seq.to_deterministic()
    out = det.augment_image(img.numpy())
    segm = det.augment_image(mask.numpy().astype(np.uint8))
    return out.astype(np.float32) / 255.0, segm.astype(np.int32)


# %%
imgs = sorted(tf.io.gfile.glob("/data/roads/img/*.jpg"))
masks = sorted(tf.io.gfile.glob("/data/roads/mask/*.png"))
ds = tf.data.Dataset.from_tensor_slices((imgs, masks)).map(decode, num_parallel_calls=AUTO)
ds = ds.cache().shuffle(500)
ds = ds.map(
    lambda *pair: tuple(tf.py_function(aug, pair, (tf.float32, tf.int32))), num_parallel_calls=AUTO)
ds = ds.map(
    lambda i, m: (tf.ensure_shape(i, (256, 256, 3)), tf.ensure_shape(m, (256, 256, 1))),
    num_parallel_calls=AUTO)
ds = ds.batch(16).prefetch(AUTO)

# %%
net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(2, 1, activation="softmax"),
])
net.compile("adam", "sparse_categorical_crossentropy")
net.fit(ds, epochs=50)
