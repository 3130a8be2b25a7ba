import glob

import tensorflow as tf
from PIL import Image


def export(pattern, out):
    with tf.io.TFRecordWriter(out) as writer:
        for path in sorted(glob.glob(pattern)):
            image = Image.open(path).convert("RGB").resize((100, 100))
            features = tf.train.Features(feature={
                "rgb": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.tobytes()])),
                "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(path.split("/")[-2])])),
            })
            writer.write(tf.train.Example(features=features).SerializeToString())


def parse(records):
    d = tf.io.parse_example(records, {
        "rgb": tf.io.FixedLenFeature([], tf.string), "y": tf.io.FixedLenFeature([], tf.int64)})
    pixels = tf.io.decode_raw(d["rgb"], tf.uint8)
    return tf.reshape(tf.cast(pixels, tf.float32) / 255.0, (-1, 100, 100, 3)), d["y"]


export("fruit/*/*.jpg", "fruit.tfrecord")
ds = tf.data.TFRecordDataset("fruit.tfrecord").shuffle(5000, seed=0)
ds = ds.batch(32).map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=10)
