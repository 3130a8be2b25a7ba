import tensorflow as tf

TFRECORDS = ["records/train-0.tfrecord", "records/train-1.tfrecord"]


def _parse_tfrecords_func(record):
    features = {"img": tf.io.FixedLenFeature([], tf.string),
                "label": tf.io.FixedLenFeature((), tf.int64, default_value=0),
                "width": tf.io.FixedLenFeature((), tf.int64, default_value=0),
                "height": tf.io.FixedLenFeature((), tf.int64, default_value=0),
                "channel": tf.io.FixedLenFeature((), tf.int64, default_value=0)}
    parsed_features = tf.io.parse_single_example(record, features)
    img = tf.io.decode_raw(features["img"], tf.uint8)
    img = tf.reshape(img, (parsed_features["height"], parsed_features["width"], parsed_features["channel"]))
    img = tf.cast(img, tf.float32) / 255.0
    img = tf.ensure_shape(tf.image.resize(img, (64, 64)), (64, 64, 3))
    return img, parsed_features["label"]


def dataset_tfrecords():
    dataset = tf.data.TFRecordDataset(TFRECORDS)
    dataset = dataset.shuffle(5000)
    dataset = dataset.map(_parse_tfrecords_func, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.batch(32).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.Input((64, 64, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(5, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(dataset_tfrecords(), epochs=10)
