from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_integer("crop", 512, "Crop size.")
flags.DEFINE_string("data", "/data/cityscapes/train-*", "Records.")

SPEC = {"left": tf.io.FixedLenFeature([], tf.string), "labels": tf.io.FixedLenFeature([], tf.string)}


def parse(rec):
    ex = tf.io.parse_single_example(rec, SPEC)
    return tf.io.decode_png(ex["left"], channels=3), tf.io.decode_png(ex["labels"], channels=1)


def cropper(size):
    def crop(tensor, channels):
        return tf.image.random_crop(tensor, [size, size, channels])

    def fn(image, mask):
        return crop(image, 3), crop(mask, 1)

    return fn


def normalise(image, mask):
    return tf.cast(image, tf.float32) / 127.5 - 1.0, tf.cast(mask, tf.int32)


def train_data(batch_size=8):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(FLAGS.data), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(500)
    for fn in (parse, cropper(FLAGS.crop), normalise):
        ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(34, 1)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train_data(), epochs=50)


if __name__ == "__main__":
    app.run(main)
