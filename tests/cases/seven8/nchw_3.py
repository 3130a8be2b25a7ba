"""WideResNet (official/resnet style): data_format flag threaded through everything."""
from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("data_dir", "/data/tiny_imagenet_tfrecord", "Data.")
flags.DEFINE_enum("data_format", "channels_first", ["channels_first", "channels_last"],
                  "channels_first is the setting for GPU training.")
flags.DEFINE_integer("batch_size", 256, "Global batch size.")
flags.DEFINE_integer("train_epochs", 182, "Epochs.")

SIZE, NUM_CLASSES = 64, 200


def preprocess(image, is_training, data_format):
    if is_training:
        image = tf.image.resize_with_crop_or_pad(image, SIZE + 8, SIZE + 8)
        image = tf.image.random_crop(image, [SIZE, SIZE, 3])
        image = tf.image.random_flip_left_right(image)
    image = tf.image.per_image_standardization(image)
    if data_format == "channels_first":
        image = tf.transpose(image, [2, 0, 1])
    return image


def input_fn(is_training, data_dir, batch_size, data_format):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"image": tf.io.FixedLenFeature([], tf.string),
                                              "label": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        image = tf.ensure_shape(image, [SIZE, SIZE, 3])
        return preprocess(image, is_training, data_format), ex["label"]

    split = "train" if is_training else "validation"
    ds = tf.data.Dataset.list_files(f"{data_dir}/{split}-*", shuffle=is_training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if is_training:
        ds = ds.shuffle(50_000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=is_training).prefetch(tf.data.AUTOTUNE)


class WideResNet:
    def __init__(self, depth, width, data_format):
        self.n, self.width, self.data_format = (depth - 4) // 6, width, data_format
        self.axis = 1 if data_format == "channels_first" else -1

    def _conv(self, x, ch, k, s=1):
        return tf.keras.layers.Conv2D(ch, k, s, "same", use_bias=False,
                                      data_format=self.data_format)(x)

    def _bn_relu(self, x):
        return tf.keras.layers.ReLU()(tf.keras.layers.BatchNormalization(axis=self.axis)(x))

    def build(self):
        shape = (3, SIZE, SIZE) if self.data_format == "channels_first" else (SIZE, SIZE, 3)
        inp = tf.keras.Input(shape)
        x = self._conv(inp, 16, 3)
        for g, ch in enumerate((16, 32, 64)):
            for i in range(self.n):
                s = 2 if g and i == 0 else 1
                y = self._bn_relu(x)
                short = self._conv(y, ch * self.width, 1, s) if i == 0 else x
                y = self._conv(y, ch * self.width, 3, s)
                x = tf.keras.layers.Add()([self._conv(self._bn_relu(y), ch * self.width, 3), short])
        x = tf.keras.layers.GlobalAveragePooling2D(data_format=self.data_format)(self._bn_relu(x))
        return tf.keras.Model(inp, tf.keras.layers.Dense(NUM_CLASSES)(x))


def main(_):
    model = WideResNet(28, 10, FLAGS.data_format).build()
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    args = (FLAGS.data_dir, FLAGS.batch_size, FLAGS.data_format)
    model.fit(input_fn(True, *args), validation_data=input_fn(False, *args),
              epochs=FLAGS.train_epochs)


if __name__ == "__main__":
    app.run(main)
