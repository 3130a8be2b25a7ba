"""CIFAR-100 binary files keep planes first; the input turns them to NHWC for the TPU."""
import tensorflow as tf

RECORD = 2 + 3 * 32 * 32


class BinaryCifar:
    def __init__(self, path, batch):
        self.path, self.batch = path, batch

    @staticmethod
    def unpack(records):
        raw = tf.io.decode_raw(records, tf.uint8)
        label = tf.cast(raw[:, 1], tf.int32)
        planes = tf.reshape(raw[:, 2:], [-1, 3, 32, 32])
        return tf.transpose(planes, [0, 2, 3, 1]), label

    @staticmethod
    def augment(x, y):
        x = tf.image.resize_with_crop_or_pad(x, 40, 40)
        x = tf.image.random_crop(x, [tf.shape(x)[0], 32, 32, 3])
        return tf.image.random_flip_left_right(x), y

    def dataset(self, training):
        ds = tf.data.FixedLengthRecordDataset(self.path, RECORD).cache()
        if training:
            ds = ds.shuffle(50_000).repeat()
        ds = ds.batch(self.batch, drop_remainder=True)
        ds = ds.map(self.unpack, num_parallel_calls=tf.data.AUTOTUNE)
        if training:
            ds = ds.map(self.augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def wide_net(classes=100):
    inp = tf.keras.Input((32, 32, 3))
    x = tf.keras.layers.Rescaling(1 / 127.5, offset=-1)(inp)
    for w in (160, 320, 640):
        y = tf.keras.layers.Conv2D(w, 3, strides=2, padding="same", activation="relu")(x)
        y = tf.keras.layers.Conv2D(w, 3, padding="same")(y)
        x = y + tf.keras.layers.Conv2D(w, 1, strides=2)(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes)(x))


def main():
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver("local")
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
    with strategy.scope():
        model = wide_net()
        model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
                      tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                      metrics=["sparse_categorical_accuracy"], steps_per_execution=40)
    model.fit(BinaryCifar("gs://cifar/cifar-100-binary/train.bin", 1024).dataset(True),
              validation_data=BinaryCifar("gs://cifar/cifar-100-binary/test.bin", 1000).dataset(False),
              steps_per_epoch=48, epochs=200)


if __name__ == "__main__":
    main()
