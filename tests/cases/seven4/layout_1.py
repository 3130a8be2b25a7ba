import keras
import tensorflow as tf

keras.mixed_precision.set_global_policy("mixed_float16")


class ConvNormAct(keras.layers.Layer):
    def __init__(self, filters, kernel=3, stride=1, data_format="channels_first", **kwargs):
        super().__init__(**kwargs)
        self.conv = keras.layers.Conv2D(
            filters, kernel, stride, padding="same", use_bias=False, data_format=data_format)
        self.norm = keras.layers.BatchNormalization(axis=1 if data_format == "channels_first" else -1)
        self.act = keras.layers.ReLU()

    def call(self, x, training=False):
        return self.act(self.norm(self.conv(x), training=training))


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (256, 256))
    return tf.image.random_flip_left_right(image), tf.strings.split(path, "/")[-2]


paths = tf.io.gfile.glob("/data/places/train/*/*.jpg")
scenes = sorted({p.split("/")[-2] for p in paths})
lookup = keras.layers.StringLookup(vocabulary=scenes, num_oov_indices=0)


def collate(images, names):
    return tf.transpose(images / 255.0, (0, 3, 1, 2)), lookup(names)


train = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))
train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(128, drop_remainder=True)
train = train.map(collate, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

inputs = x = keras.Input((3, 256, 256))
for width in (64, 128, 256, 512):
    x = ConvNormAct(width, stride=2)(x)
    x = ConvNormAct(width)(x)
x = keras.ops.mean(x, axis=(2, 3))
model = keras.Model(inputs, keras.layers.Dense(len(scenes), dtype="float32")(x))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=60)
