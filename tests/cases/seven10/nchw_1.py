"""Diabetic retinopathy on TPU, Keras fit."""
import tensorflow as tf

tf.keras.backend.set_image_data_format("channels_first")
SPEC = {"image": tf.io.FixedLenFeature([], tf.string),
        "grade": tf.io.FixedLenFeature([], tf.int64)}


def decode(record):
    row = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_jpeg(row["image"], channels=3)
    image = tf.image.resize(image, (384, 384)) / 255.0
    return tf.transpose(image, [2, 0, 1]), row["grade"]


def retina(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern, shuffle=True).interleave(
        tf.data.TFRecordDataset, cycle_length=16,
        num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(4_096).repeat().map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def network():
    inputs = tf.keras.Input((3, 384, 384))
    x = inputs
    for width in (32, 64, 128, 256):
        x = tf.keras.layers.Conv2D(width, 3, padding="same", use_bias=False)(x)
        x = tf.keras.layers.BatchNormalization(axis=1)(x)
        x = tf.keras.layers.MaxPool2D()(tf.keras.layers.ReLU()(x))
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(5, activation="softmax")(x))


def main():
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu="local")
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
    with strategy.scope():
        model = network()
        model.compile("adam", "sparse_categorical_crossentropy", steps_per_execution=50)
    model.fit(retina("gs://eyes/train-*.tfrecord", 512), steps_per_epoch=170, epochs=30)


if __name__ == "__main__":
    main()
