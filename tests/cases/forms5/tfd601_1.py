import tensorflow as tf
import tensorflow_datasets as tfds

tf.keras.backend.set_image_data_format("channels_first")


def preprocess(image, label):
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, (128, 128))
    image = tf.image.random_flip_left_right(image)
    return tf.transpose(image, (2, 0, 1)), label


def build_model(num_classes):
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Input((3, 128, 128)),
        layers.Conv2D(64, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(128, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(256, 3, padding="same", activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(num_classes, activation="softmax"),
    ])


train = (
    tfds.load("oxford_flowers102", split="test", as_supervised=True, shuffle_files=True)
    .shuffle(6000)
    .map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(64)
    .prefetch(tf.data.AUTOTUNE)
)

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = build_model(102)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=60)
