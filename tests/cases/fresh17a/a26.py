import tensorflow as tf
import tensorflow_datasets as tfds

SIDE, BATCH = 180, 64


def prepare(image, label):
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, (SIDE, SIDE))
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, 0.2)
    image = tf.image.random_hue(image, 0.05)
    return image, label


def flowers(split, training):
    ds = tfds.load("tf_flowers", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(3000)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def cnn():
    return tf.keras.Sequential([
        tf.keras.Input((SIDE, SIDE, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(128, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(5),
    ])


train = flowers("train[:80%]", True)
val = flowers("train[80%:]", False)
model = cnn()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(train, validation_data=val, epochs=25, callbacks=[tf.keras.callbacks.EarlyStopping(patience=4)])
print(model.evaluate(val))
