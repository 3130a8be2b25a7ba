import tensorflow as tf
import tensorflow_datasets as tfds

(train, test), info = tfds.load(
    "tf_flowers", split=["train[:80%]", "train[80%:]"], as_supervised=True, with_info=True
)


def prepare(image, label):
    return tf.image.resize(image, (180, 180)) / 255.0, label


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_brightness(image, 0.2), label


train = train.shuffle(2000).map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
train = train.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(32).prefetch(tf.data.AUTOTUNE)
test = test.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
test = test.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((180, 180, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(5, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=10)
print(model.evaluate(test))
