"""Document image binarisation; the preprocessing is a list of named ops."""
import tensorflow as tf

OPS = {}


def op(fn):
    OPS[fn.__name__] = fn
    return fn


@op
def load(page, target):
    page = tf.io.decode_png(tf.io.read_file(page), channels=1)
    target = tf.io.decode_png(tf.io.read_file(target), channels=1)
    return tf.image.convert_image_dtype(page, tf.float32), tf.cast(target > 127, tf.float32)


@op
def fit_width(page, target):
    return (tf.image.resize_with_pad(page, 1024, 768, antialias=True),
            tf.image.resize_with_pad(target, 1024, 768, method="nearest"))


@op
def random_patch(page, target):
    both = tf.image.random_crop(tf.concat([page, target], -1), [256, 256, 2])
    return both[..., :1], both[..., 1:]


def compose(ds, names):
    for name in names:
        ds = ds.map(OPS[name])
    return ds


def pages(split, names, batch):
    x = sorted(tf.io.gfile.glob(f"/data/dibco/{split}/img/*.png"))
    y = sorted(tf.io.gfile.glob(f"/data/dibco/{split}/gt/*.png"))
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    ds = compose(ds, names[:2]).cache()
    ds = ds.shuffle(len(x)).repeat()
    ds = compose(ds, names[2:])
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def unet(width=32):
    inp = tf.keras.Input((None, None, 1))
    d = tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu")(inp)
    e = tf.keras.layers.Conv2D(2 * width, 3, strides=2, padding="same", activation="relu")(d)
    u = tf.keras.layers.Conv2DTranspose(width, 2, strides=2, activation="relu")(e)
    out = tf.keras.layers.Conv2D(1, 1)(tf.keras.layers.Concatenate()([u, d]))
    return tf.keras.Model(inp, out)


if __name__ == "__main__":
    net = unet()
    net.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    net.fit(pages("train", ["load", "fit_width", "random_patch"], 32), steps_per_epoch=2000, epochs=40)
