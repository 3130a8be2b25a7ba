import tensorflow as tf
import tensorflow_datasets as tfds


def to_float(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def augment(pair, seed):
    image, label = pair
    image = tf.image.stateless_random_flip_left_right(image, seed)
    image = tf.image.pad_to_bounding_box(image, 2, 2, 36, 36)
    image = tf.image.stateless_random_crop(image, (32, 32, 3), seed)
    return image, label


train = tfds.load("cifar100", split="train", as_supervised=True)
train = train.shuffle(50000)
train = train.map(to_float, num_parallel_calls=tf.data.AUTOTUNE)
seeds = tf.data.Dataset.random(seed=1).batch(2, drop_remainder=True)
train = tf.data.Dataset.zip(train, seeds)
train = train.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(128).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(100, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=20)
