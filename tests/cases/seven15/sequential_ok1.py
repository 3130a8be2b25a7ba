import tensorflow as tf

PARALLEL = {"num_parallel_calls": tf.data.AUTOTUNE, "deterministic": False}


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "img": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string),
    })
    img = tf.image.resize(tf.io.decode_jpeg(ex["img"], 3), [256, 256]) / 255.0
    mask = tf.image.resize(tf.io.decode_png(ex["mask"], 1), [256, 256], method="nearest")
    return img, mask


def tiles(pattern, batch):
    return (
        tf.data.Dataset.list_files(pattern, shuffle=True)
        .interleave(tf.data.TFRecordDataset, cycle_length=8, **PARALLEL)
        .shuffle(3000)
        .map(parse, **PARALLEL)
        .batch(batch)
        .prefetch(tf.data.AUTOTUNE)
    )


def unet():
    inp = tf.keras.Input((256, 256, 3))
    a = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inp)
    b = tf.keras.layers.Conv2D(64, 3, 2, padding="same", activation="relu")(a)
    c = tf.keras.layers.Conv2DTranspose(32, 3, 2, padding="same", activation="relu")(b)
    out = tf.keras.layers.Conv2D(6, 1)(tf.keras.layers.Concatenate()([a, c]))
    return tf.keras.Model(inp, out)


model = unet()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(tiles("/geo/tiles/train-*.tfrecord", 16), epochs=30)
