import tensorflow as tf
import tensorflow_datasets as tfds

IMAGE_SIZE = 224


def prepare(image, label):
    image = tf.image.resize(image, (IMAGE_SIZE, IMAGE_SIZE))
    return image / 127.5 - 1.0, label


def food(split, training, batch_size=32):
    ds = tfds.load("food101", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(1000)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


base = tf.keras.applications.EfficientNetV2S(
    weights="imagenet",
    include_top=False,
    include_preprocessing=False,
    input_shape=(IMAGE_SIZE, IMAGE_SIZE, 3),
    pooling="avg",
)
base.trainable = False
model = tf.keras.Sequential([base, tf.keras.layers.Dense(101, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(food("train", True), validation_data=food("validation", False), epochs=4)
