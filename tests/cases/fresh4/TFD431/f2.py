import tensorflow as tf
import tensorflow_datasets as tfds


class MoonNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.preprocessing = tf.keras.Sequential([
            tf.keras.layers.Resizing(96, 96),
            tf.keras.layers.Rescaling(scale=1.0 / 255.0),
        ])
        self.features = tf.keras.layers.Conv2D(32, 3, activation="relu")
        self.pool = tf.keras.layers.GlobalAveragePooling2D()
        self.head = tf.keras.layers.Dense(classes, activation="softmax")

    def call(self, images):
        return self.head(self.pool(self.features(self.preprocessing(images))))


def prepare(image, label):
    image = tf.multiply(tf.cast(image, tf.float32), 1.0 / 255.0)
    return image, label


ds = tfds.load("deep_weeds", split="train[:85%]", as_supervised=True, shuffle_files=True)
ds = ds.shuffle(1000)
ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = MoonNet(classes=9)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(ds, epochs=10)
