import os

import tensorflow as tf

SIZE = 320


def read_pair(img_path, mask_path):
    img = tf.io.decode_jpeg(tf.io.read_file(img_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    return img, mask


def resize_pair(img, mask):
    return (
        tf.image.resize(img, (SIZE, SIZE)),
        tf.image.resize(mask, (SIZE, SIZE), method="nearest"),
    )


def flip_pair(img, mask):
    flip = tf.random.uniform(()) > 0.5
    img = tf.cond(flip, lambda: tf.image.flip_left_right(img), lambda: img)
    mask = tf.cond(flip, lambda: tf.image.flip_left_right(mask), lambda: mask)
    return img, mask


def apply_transforms(*fns):
    def _apply(ds):
        for fn in fns:
            ds = ds.map(fn)
        return ds

    return _apply


def dataset(root, ids, batch_size, training):
    imgs = [os.path.join(root, "images", f"{i}.jpg") for i in ids]
    masks = [os.path.join(root, "trimaps", f"{i}.png") for i in ids]
    fns = [read_pair, resize_pair] + ([flip_pair] if training else [])
    ds = tf.data.Dataset.from_tensor_slices((imgs, masks))
    if training:
        ds = ds.shuffle(len(ids))
    return ds.apply(apply_transforms(*fns)).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def unet():
    inp = tf.keras.Input((SIZE, SIZE, 3))
    x = inp / 255.0
    skips = []
    for f in (32, 64, 128):
        x = tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.MaxPool2D()(x)
    for f, s in zip((128, 64, 32), reversed(skips)):
        x = tf.keras.layers.Conv2DTranspose(f, 3, strides=2, padding="same", activation="relu")(x)
        x = tf.keras.layers.Concatenate()([x, s])
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 1)(x))


if __name__ == "__main__":
    root = "/kaggle/input/oxford-pets"
    with open(os.path.join(root, "trainval.txt")) as f:
        names = [row.split()[0] for row in f]
    cut = int(0.9 * len(names))
    model = unet()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(
        dataset(root, names[:cut], 32, True),
        validation_data=dataset(root, names[cut:], 32, False),
        epochs=30,
    )
