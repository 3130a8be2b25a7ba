import tensorflow as tf

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "depth": tf.io.FixedLenFeature([], tf.string),
    "camera_id": tf.io.FixedLenFeature([], tf.int64),
    "steering": tf.io.FixedLenFeature([], tf.float32),
}
HEIGHT, WIDTH = 120, 320


def parse_frame(record):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(example["image"], channels=3)
    depth = tf.io.decode_png(example["depth"], channels=1, dtype=tf.uint16)
    image = tf.image.resize(image, [HEIGHT, WIDTH]) / 255.0
    depth = tf.image.resize(depth, [HEIGHT, WIDTH]) / 65535.0
    return image, example["steering"]


def mirror(image, steering):
    if tf.random.uniform([]) < 0.5:
        return tf.image.flip_left_right(image), -steering
    return image, steering


def make_dataset(pattern, batch_size, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=not training
    )
    if training:
        ds = ds.shuffle(4096)
    ds = ds.map(parse_frame, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.map(mirror, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def pilot_net():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input([HEIGHT, WIDTH, 3]),
            layers.Conv2D(24, 5, strides=2, activation="elu"),
            layers.Conv2D(36, 5, strides=2, activation="elu"),
            layers.Conv2D(48, 5, strides=2, activation="elu"),
            layers.Conv2D(64, 3, activation="elu"),
            layers.Flatten(),
            layers.Dense(100, activation="elu"),
            layers.Dense(1),
        ]
    )


if __name__ == "__main__":
    train = make_dataset("drives/train-*.tfrecord", 64, True)
    valid = make_dataset("drives/valid-*.tfrecord", 64, False)
    model = pilot_net()
    model.compile(tf.keras.optimizers.Adam(1e-4), "mse")
    model.fit(train, validation_data=valid, epochs=20)
