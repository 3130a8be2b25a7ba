import tensorflow as tf


class CropDataset:
    def __init__(self, files, size=256):
        self.files = files
        self.size = size

    def parse(self, record):
        example = tf.io.parse_single_example(record, {
            "photo": tf.io.FixedLenFeature([], tf.string),
            "mask": tf.io.FixedLenFeature([], tf.string),
        })
        return {
            "photo": tf.io.decode_png(example["photo"], channels=3),
            "mask": tf.io.decode_png(example["mask"], channels=1),
        }

    def crop(self, sample):
        photo = tf.image.random_crop(sample["photo"], [self.size, self.size, 3])
        mask = tf.image.random_crop(sample["mask"], [self.size, self.size, 1])
        return tf.cast(photo, tf.float32) / 255.0, mask

    def build(self):
        ds = tf.data.Dataset.from_tensor_slices(self.files).shuffle(len(self.files))
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(200)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.crop, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(8).prefetch(tf.data.AUTOTUNE)


dataset = CropDataset([f"cells-{i}.tfrecord" for i in range(8)]).build()
model = tf.keras.models.load_model("cells.keras")
model.fit(dataset, epochs=100)
