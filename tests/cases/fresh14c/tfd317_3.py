import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
SIDE = 160


def list_pairs(root):
    images = sorted(tf.io.gfile.glob(f"{root}/images/*.png"))
    masks = [name.replace("/images/", "/masks/") for name in images]
    return images, masks


def decode(image_path, mask_path):
    image = tf.io.decode_png(tf.io.read_file(image_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    image = tf.image.resize(image, [SIDE, SIDE]) / 255.0
    mask = tf.image.resize(mask, [SIDE, SIDE], method="nearest")
    return image, tf.cast(mask > 127, tf.float32)


def finish(pairs, batch_size):
    pairs = pairs.map(decode, num_parallel_calls=AUTOTUNE)
    return pairs.batch(batch_size).prefetch(AUTOTUNE)


def make(root, holdout=400, batch_size=16):
    images, masks = list_pairs(root)
    pairs = tf.data.Dataset.from_tensor_slices((images, masks))
    pairs = pairs.shuffle(len(images), seed=17, reshuffle_each_iteration=False)
    valid = pairs.take(holdout)
    train = pairs.skip(holdout).shuffle(len(images))
    return finish(train, batch_size), finish(valid, batch_size)


def segmenter():
    inputs = tf.keras.Input([SIDE, SIDE, 3])
    low = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(low)
    x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.UpSampling2D()(x)
    x = tf.keras.layers.Concatenate()([x, low])
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


if __name__ == "__main__":
    train_ds, valid_ds = make("/data/roads")
    net = segmenter()
    net.compile("adam", "binary_crossentropy")
    net.fit(train_ds, validation_data=valid_ds, epochs=40)
