import tensorflow as tf

IMAGE = 224
CLASSES = 1000
TRAIN = "gs://my-imagenet/train-*"
EXAMPLES = 1281167


def connect():
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu="")
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    return tf.distribute.TPUStrategy(resolver)


def parse(record):
    parsed = tf.io.parse_single_example(record, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(parsed["image/encoded"], channels=3)
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, (IMAGE, IMAGE))
    image.set_shape((IMAGE, IMAGE, 3))
    return image, tf.cast(parsed["image/class/label"], tf.int32) - 1


def dataset(batch_size):
    files = tf.data.Dataset.list_files(TRAIN)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(16384).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def model_fn():
    layers = tf.keras.layers
    inputs = tf.keras.Input((IMAGE, IMAGE, 3))
    x = layers.Conv2D(64, 7, strides=2, padding="same", activation="relu")(inputs)
    x = layers.Conv2D(128, 3, strides=2, padding="same", activation="relu")(x)
    for rate in (2, 4):
        x = layers.Conv2D(128, 3, dilation_rate=rate, padding="same", activation="relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, layers.Dense(CLASSES)(x))


def main():
    strategy = connect()
    batch = 128 * strategy.num_replicas_in_sync
    with strategy.scope():
        model = model_fn()
        model.compile(
            tf.keras.optimizers.SGD(0.1, momentum=0.9),
            tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
    model.fit(dataset(batch), epochs=90, steps_per_epoch=EXAMPLES // batch)


if __name__ == "__main__":
    main()
