import tensorflow as tf

SIZE = 96
BATCH = 64
AUTOTUNE = tf.data.AUTOTUNE


def read_tile(path, label):
    tile = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.ensure_shape(tile, [None, None, 3]), label


def spatial(tile, label):
    tile = tf.image.random_crop(tile, [SIZE, SIZE, 3])
    tile = tf.image.random_flip_left_right(tile)
    tile = tf.image.random_flip_up_down(tile)
    return tile, label


def to_float(tiles, labels):
    return tf.cast(tiles, tf.float32) / 127.5 - 1.0, labels


def pipeline(paths, labels):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths), reshuffle_each_iteration=True)
    ds = ds.map(read_tile, num_parallel_calls=AUTOTUNE)
    ds = ds.map(spatial, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(BATCH, drop_remainder=True)
    ds = ds.map(to_float, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def index(root):
    paths, labels = [], []
    for value, name in enumerate(["normal", "tumor"]):
        found = tf.io.gfile.glob(f"{root}/{name}/*.jpg")
        paths.extend(found)
        labels.extend([value] * len(found))
    return paths, labels


def main():
    paths, labels = index("histology/train")
    model = tf.keras.Sequential(
        [
            tf.keras.Input([SIZE, SIZE, 3]),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.MaxPool2D(),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(1),
        ]
    )
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True), ["accuracy"])
    model.fit(pipeline(paths, labels), epochs=15)


if __name__ == "__main__":
    main()
