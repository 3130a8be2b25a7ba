from absl import app, flags
import albumentations as A
import tensorflow as tf

flags.DEFINE_string("records", "/data/cells/*.tfrecord", "Training shards.")
flags.DEFINE_integer("size", 320, "Crop size.")
FLAGS = flags.FLAGS


class SegmentationInput:
    spec = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string),
    }

    def parse(self, record):
        row = tf.io.parse_single_example(record, self.spec)
        return tf.io.decode_png(row["image"], 3), tf.io.decode_png(row["mask"], 1)

    def augment(self, image, mask):
        return image, mask

    def dataset(self, batch_size):
        files = tf.data.Dataset.list_files(FLAGS.records)
        ds = files.interleave(
            tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(2_000)
        ds = ds.map(
            lambda record: self.augment(*self.parse(record)),
            num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


class AlbumentationsInput(SegmentationInput):
    def __init__(self):
        self.transform = A.Compose([
            A.RandomCrop(FLAGS.size, FLAGS.size),
            A.ElasticTransform(p=0.5),
            A.HorizontalFlip(),
        ])

    def _apply(self, image, mask):
        out = self.transform(image=image.numpy(), mask=mask.numpy())
        return out["image"] / 255.0, out["mask"]

    def augment(self, image, mask):
        image, mask = tf.py_function(
            func=self._apply, inp=[image, mask], Tout=[tf.float32, tf.uint8])
        image.set_shape([FLAGS.size, FLAGS.size, 3])
        mask.set_shape([FLAGS.size, FLAGS.size, 1])
        return image, mask


def main(_):
    inputs = tf.keras.Input([FLAGS.size, FLAGS.size, 3])
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))
    model.compile("adam", "binary_crossentropy")
    model.fit(AlbumentationsInput().dataset(16), epochs=50)


if __name__ == "__main__":
    app.run(main)
