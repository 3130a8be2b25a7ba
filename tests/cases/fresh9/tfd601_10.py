from absl import app, flags
import tensorflow as tf

flags.DEFINE_enum("data_format", "channels_first", ["channels_first", "channels_last"],
                  "channels_first is faster on GPUs")
flags.DEFINE_bool("fp16", True, "compute in half precision")
flags.DEFINE_integer("batch_size", 192, "images in a batch")
FLAGS = flags.FLAGS


class SegNet(tf.keras.Model):
    def __init__(self, classes, data_format):
        super().__init__()
        common = {"padding": "same", "activation": "relu", "data_format": data_format}
        self.down = [tf.keras.layers.Conv2D(f, 3, 2, **common) for f in (64, 128, 256)]
        self.up = [tf.keras.layers.Conv2DTranspose(f, 3, 2, **common) for f in (128, 64, 32)]
        self.out = tf.keras.layers.Conv2D(classes, 1, data_format=data_format)

    def call(self, x):
        for layer in self.down + self.up:
            x = layer(x)
        return self.out(x)


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string),
    })
    image = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), [256, 512]) / 255.0
    mask = tf.image.resize(tf.io.decode_png(ex["mask"]), [256, 512], "nearest")
    if FLAGS.data_format == "channels_first":
        image, mask = tf.transpose(image, [2, 0, 1]), tf.transpose(mask, [2, 0, 1])
    return image, mask


def main(_):
    if FLAGS.fp16:
        tf.keras.mixed_precision.set_global_policy("mixed_float16")
    ds = tf.data.Dataset.list_files("/data/cityscapes/train-*.tfrecord")
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(2000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(FLAGS.batch_size).prefetch(tf.data.AUTOTUNE)
    model = SegNet(19, FLAGS.data_format)
    axis = 1 if FLAGS.data_format == "channels_first" else -1

    def loss(mask, logits):
        return tf.keras.losses.sparse_categorical_crossentropy(
            tf.squeeze(mask, axis), tf.cast(logits, tf.float32), from_logits=True, axis=axis)

    model.compile("adam", loss)
    model.fit(ds, epochs=80)


if __name__ == "__main__":
    app.run(main)
