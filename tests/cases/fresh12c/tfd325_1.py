"""Street scene segmentation with a Dice loss."""
import tensorflow as tf

N_CLASSES = 19
SIZE = (256, 512)


def load_pair(img_path, mask_path):
    img = tf.io.decode_png(tf.io.read_file(img_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    img = tf.cast(tf.image.resize(img, SIZE), tf.uint8)
    mask = tf.image.resize(mask, SIZE, method="nearest")
    return img, tf.squeeze(mask, -1)


def encode_mask(img, mask):
    return img, tf.one_hot(mask, N_CLASSES)


def augment(img, mask):
    flip = tf.random.uniform([]) < 0.5
    img = tf.cond(flip, lambda: tf.reverse(img, [1]), lambda: img)
    mask = tf.cond(flip, lambda: tf.reverse(mask, [1]), lambda: mask)
    return tf.cast(img, tf.float32) / 255.0, mask


def prepare(split, batch=8, training=False):
    imgs = sorted(tf.io.gfile.glob(f"/data/streets/{split}/img/*.png"))
    masks = [p.replace("/img/", "/mask/") for p in imgs]
    ds = tf.data.Dataset.from_tensor_slices((imgs, masks))
    ds = ds.map(load_pair, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(encode_mask, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache(f"/scratch/streets-{split}")
    if training:
        ds = ds.shuffle(500).map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    else:
        ds = ds.map(lambda i, m: (tf.cast(i, tf.float32) / 255.0, m), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def small_fcn():
    inp = tf.keras.Input((*SIZE, 3))
    x = inp
    for f in (32, 64, 128):
        x = tf.keras.layers.Conv2D(f, 3, strides=2, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2D(N_CLASSES, 1)(x)
    x = tf.keras.layers.UpSampling2D(8, interpolation="bilinear")(x)
    return tf.keras.Model(inp, tf.keras.layers.Softmax()(x))


model = small_fcn()
model.compile("adam", tf.keras.losses.Dice())
model.fit(prepare("train", training=True), validation_data=prepare("val"), epochs=80)
