"""Pixel-art sprite classifier: nearest-neighbour keeps hard edges."""
import tensorflow as tf

SIDE = 128


def sprite(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=4)
    img = tf.image.resize(img, (SIDE, SIDE), method=tf.image.ResizeMethod.NEAREST_NEIGHBOR)
    return tf.image.convert_image_dtype(img, tf.float32)


def label_of(path, table):
    return table.lookup(tf.strings.split(path, "/")[-2])


def datasets(root, batch=128):
    names = sorted(tf.io.gfile.listdir(f"{root}/train"))
    names = [n.rstrip("/") for n in names]
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(names, tf.range(len(names))), -1)
    result = []
    for split in ("train", "val"):
        ds = tf.data.Dataset.list_files(f"{root}/{split}/*/*.png", shuffle=split == "train")
        ds = ds.map(lambda p: (sprite(p), label_of(p, table)), num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(batch, drop_remainder=split == "train")
        result.append(ds.prefetch(tf.data.AUTOTUNE))
    return names, result


names, (train, val) = datasets("/data/sprites")
inp = tf.keras.Input((SIDE, SIDE, 4))
x = inp
for width in (32, 64, 128, 256):
    x = tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.MaxPooling2D()(x)
x = tf.keras.layers.GlobalAveragePooling2D()(x)
model = tf.keras.Model(inp, tf.keras.layers.Dense(len(names))(x))
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, validation_data=val, epochs=30)
