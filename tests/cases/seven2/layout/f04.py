import tensorflow as tf
from tensorflow.keras import layers

CONFIG = {
    "data": {"pattern": "/data/roads/*/*.jpg", "size": 256, "batch": 32},
    "model": {"channels_first": True, "widths": [24, 48, 96], "classes": 8},
}


class RoadNet(tf.keras.Model):
    def __init__(self, channels_first, widths, classes):
        super().__init__()
        self.channels_first = channels_first
        fmt = "channels_" + ("first" if channels_first else "last")
        self.body = []
        for w in widths:
            self.body.append(layers.SeparableConv2D(w, 3, strides=2, activation="relu", data_format=fmt))
        self.pool = layers.GlobalAveragePooling2D(data_format=fmt)
        self.out = layers.Dense(classes)

    def call(self, x):
        if self.channels_first:
            x = tf.transpose(x, [0, 3, 1, 2])
        for layer in self.body:
            x = layer(x)
        return self.out(self.pool(x))


def pipeline(pattern, size, batch):
    def load(path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        return tf.image.resize(image, (size, size)) / 255.0, label

    ds = tf.data.Dataset.list_files(pattern).map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


model = RoadNet(**CONFIG["model"])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(pipeline(**CONFIG["data"]), epochs=20)
