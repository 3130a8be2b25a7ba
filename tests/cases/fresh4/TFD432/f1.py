import functools

import tensorflow as tf

letterbox = functools.partial(tf.image.resize_with_pad, target_height=224, target_width=224)


def parse(record):
    example = tf.io.parse_single_example(record, {
        "scene": tf.io.FixedLenFeature([], tf.string),
        "segmentation": tf.io.FixedLenFeature([], tf.string),
    })
    scene = letterbox(tf.io.decode_jpeg(example["scene"], channels=3)) / 255.0
    classes = letterbox(tf.io.decode_png(example["segmentation"], channels=1))
    return scene, tf.cast(classes, tf.uint8)


def dataset(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(500).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(8).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((224, 224, 3)),
    tf.keras.layers.Conv2D(48, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(150, 1, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset("ade20k/train-*"), epochs=40)
