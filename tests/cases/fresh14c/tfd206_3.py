import tensorflow as tf

PATCH = 128
BASE_SEED = 99

FEATURES = {
    "scan": tf.io.FixedLenFeature([], tf.string),
    "mask": tf.io.FixedLenFeature([], tf.string),
}


def parse(record):
    ex = tf.io.parse_single_example(record, FEATURES)
    scan = tf.io.decode_png(ex["scan"], channels=1)
    mask = tf.io.decode_png(ex["mask"], channels=1)
    scan.set_shape([256, 256, 1])
    mask.set_shape([256, 256, 1])
    return scan, mask


def seed_stream():
    numbers = tf.data.Dataset.random(seed=BASE_SEED, rerandomize_each_iteration=True)
    return numbers.batch(2, drop_remainder=True)


def augment(pair, seed):
    scan, mask = pair
    seed = tf.cast(seed, tf.int64)
    both = tf.concat([scan, mask], axis=-1)
    crop_seed, flip_seed = tf.unstack(tf.random.experimental.stateless_split(seed, 2))
    both = tf.image.stateless_random_crop(both, [PATCH, PATCH, 2], seed=crop_seed)
    both = tf.image.stateless_random_flip_left_right(both, seed=flip_seed)
    return both[..., :1], both[..., 1:]


def scale(scan, mask):
    return tf.cast(scan, tf.float32) / 255.0, tf.cast(mask > 0, tf.float32)


def train_dataset(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    records = files.interleave(
        tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    pairs = records.shuffle(4000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = tf.data.Dataset.zip((pairs, seed_stream()))
    ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def unet(depth=3, width=16):
    inputs = tf.keras.Input([PATCH, PATCH, 1])
    x, skips = inputs, []
    for level in range(depth):
        x = tf.keras.layers.Conv2D(width * 2**level, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.MaxPool2D()(x)
    for level, skip in reversed(list(enumerate(skips))):
        x = tf.keras.layers.UpSampling2D()(x)
        x = tf.keras.layers.Concatenate()([x, skip])
        x = tf.keras.layers.Conv2D(width * 2**level, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


if __name__ == "__main__":
    model = unet()
    model.compile("adam", "binary_crossentropy")
    model.fit(train_dataset("scans/train-*.tfrecord", 32), epochs=50)
