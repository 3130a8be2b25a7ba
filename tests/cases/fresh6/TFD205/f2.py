import numpy as np
import tensorflow as tf

SPEC = {
    "jpeg": tf.io.FixedLenFeature([], tf.string),
    "box": tf.io.FixedLenFeature([4], tf.float32),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def cut(image, box):
    top, left, height, width = np.asarray(box).astype(int)
    return image[top:top + height, left:left + width]


class Detections:
    def parse(self, record):
        f = tf.io.parse_single_example(record, SPEC)
        image = cut(tf.io.decode_jpeg(f["jpeg"], channels=3), f["box"])
        return tf.image.resize(image, (96, 96)) / 255.0, f["label"]

    def dataset(self, pattern):
        files = tf.data.Dataset.list_files(pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(4000).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(64).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(80),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(Detections().dataset("/data/coco/*.tfrecord"), epochs=10)
