"""ResNet for ImageNet with blocks, fp16."""
import tensorflow as tf
import tensorflow_datasets as tfds

tf.keras.mixed_precision.set_global_policy("mixed_float16")
L = tf.keras.layers

LAYOUT = "channels_first"
BN_AXIS = 1


class ConvBN(L.Layer):
    def __init__(self, ch, k, stride=1, act=True, **kw):
        super().__init__(**kw)
        self.conv = L.Conv2D(ch, k, stride, padding="same", use_bias=False,
                             data_format=LAYOUT)
        self.bn = L.BatchNormalization(axis=BN_AXIS)
        self.act = act

    def call(self, x, training=False):
        x = self.bn(self.conv(x), training=training)
        return tf.nn.relu(x) if self.act else x


class Block(L.Layer):
    def __init__(self, ch, stride, **kw):
        super().__init__(**kw)
        self.a = ConvBN(ch, 3, stride)
        self.b = ConvBN(ch, 3, act=False)
        self.short = ConvBN(ch, 1, stride, act=False)

    def call(self, x, training=False):
        y = self.b(self.a(x, training=training), training=training)
        return tf.nn.relu(y + self.short(x, training=training))


def resnet(depths=(2, 2, 2, 2), classes=1000):
    inp = tf.keras.Input((3, 224, 224))
    x = ConvBN(64, 7, 2)(inp)
    x = L.MaxPool2D(3, 2, padding="same", data_format=LAYOUT)(x)
    for i, n in enumerate(depths):
        for j in range(n):
            x = Block(64 * 2 ** i, 2 if j == 0 and i else 1)(x)
    x = L.GlobalAveragePooling2D(data_format=LAYOUT)(x)
    return tf.keras.Model(inp, L.Dense(classes, dtype="float32")(x))


def prep(ex):
    img = tf.image.resize(ex["image"], (224, 224)) / 127.5 - 1.0
    return tf.transpose(img, (2, 0, 1)), ex["label"]


def main():
    ds = tfds.load("imagenet2012", split="train", shuffle_files=True)
    ds = ds.shuffle(10_000).map(prep, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    model = resnet()
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=90)


if __name__ == "__main__":
    main()
