import tensorflow as tf
import tensorflow_datasets as tfds

NUM_CLASSES = 47


def make_preprocess(num_classes, mean=0.1736, std=0.3317):
    def preprocess(image, label):
        image = tf.image.convert_image_dtype(image, tf.float32)
        image = (image - mean) / std
        return image, tf.one_hot(label, num_classes)

    return preprocess


def load(split, training):
    ds = tfds.load("emnist/balanced", split=split, as_supervised=True, shuffle_files=training)
    ds = ds.cache()
    if training:
        ds = ds.shuffle(112_800)
    ds = ds.map(make_preprocess(NUM_CLASSES), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(256)
    return ds.prefetch(tf.data.AUTOTUNE)


splits = {name: load(name, training=name == "train") for name in ("train", "test")}

inputs = tf.keras.Input((28, 28, 1))
h = tf.keras.layers.Conv2D(32, 3, activation="relu")(inputs)
h = tf.keras.layers.MaxPooling2D()(h)
h = tf.keras.layers.Flatten()(h)
outputs = tf.keras.layers.Dense(NUM_CLASSES, activation="softmax")(h)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(splits["train"], validation_data=splits["test"], epochs=30)
