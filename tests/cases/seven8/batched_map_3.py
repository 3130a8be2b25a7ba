"""QuickDraw (50M 28x28 bitmaps) classifier on TPU / multi GPU."""
import tensorflow as tf
import tensorflow_datasets as tfds


def get_strategy():
    try:
        resolver = tf.distribute.cluster_resolver.TPUClusterResolver.connect()
        return tf.distribute.TPUStrategy(resolver)
    except ValueError:
        return tf.distribute.MirroredStrategy()


class QuickDraw:
    num_classes = 345
    num_train = 49_000_000

    def __init__(self, data_dir, global_batch):
        self.data_dir = data_dir
        self.global_batch = global_batch

    def train(self):
        ds = tfds.load("quickdraw_bitmap", split="train[:97%]", as_supervised=True,
                       shuffle_files=True, data_dir=self.data_dir)
        return (
            ds.repeat()
            .shuffle(500_000)
            .map(lambda img, y: (tf.cast(img, tf.float32) / 255.0,
                                 tf.one_hot(y, self.num_classes)),
                 num_parallel_calls=tf.data.AUTOTUNE)
            .batch(self.global_batch, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE)
        )

    def test(self):
        ds = tfds.load("quickdraw_bitmap", split="train[97%:]", as_supervised=True,
                       data_dir=self.data_dir)
        ds = ds.batch(self.global_batch, drop_remainder=True)
        ds = ds.map(lambda img, y: (tf.cast(img, tf.float32) / 255.0,
                                    tf.one_hot(y, self.num_classes)),
                    num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def convnet(classes):
    L = tf.keras.layers
    return tf.keras.Sequential([
        L.InputLayer((28, 28, 1)),
        L.Conv2D(64, 3, padding="same", activation="relu"),
        L.Conv2D(64, 3, activation="relu"),
        L.MaxPool2D(),
        L.Conv2D(128, 3, activation="relu"),
        L.MaxPool2D(),
        L.Flatten(),
        L.Dense(1024, activation="relu"),
        L.Dropout(0.5),
        L.Dense(classes),
    ])


def main():
    strategy = get_strategy()
    batch = 1024 * strategy.num_replicas_in_sync
    data = QuickDraw("gs://my-tfds", batch)
    with strategy.scope():
        model = convnet(data.num_classes)
        model.compile(
            tf.keras.optimizers.Adam(1e-3),
            tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1),
            metrics=["accuracy"], steps_per_execution=50)
    model.fit(data.train(), validation_data=data.test(), epochs=10,
              steps_per_epoch=data.num_train // batch)


if __name__ == "__main__":
    main()
