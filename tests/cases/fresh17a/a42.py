import glob

import tensorflow as tf

PATCH, SIDE = 96, 1152
FILES = glob.glob("/histology/slides/*.png")


def load(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (SIDE, SIDE)) / 255.0
    tumor = tf.cast(tf.strings.regex_full_match(path, r".*_tumor\.png"), tf.float32)
    return img, tumor


def cut(img, tumor):
    grid = tf.image.extract_patches(
        img[tf.newaxis], [1, PATCH, PATCH, 1], [1, PATCH, PATCH, 1], [1, 1, 1, 1], "VALID"
    )
    patches = tf.reshape(grid, (-1, PATCH, PATCH, 3))
    return patches, tf.fill((tf.shape(patches)[0],), tumor)


def patches(files, batch):
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.map(cut, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.unbatch().shuffle(4096)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build():
    inp = tf.keras.Input((PATCH, PATCH, 3))
    x = inp
    for w in (32, 64, 128):
        x = tf.keras.layers.Conv2D(w, 3, strides=2, activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    model = build()
    model.compile("adam", "binary_crossentropy", ["accuracy"])
    model.fit(patches(FILES, 256), epochs=12)
