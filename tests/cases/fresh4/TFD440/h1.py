import tensorflow as tf

SEED = 42
tf.keras.utils.set_random_seed(SEED)
tf.config.experimental.enable_op_determinism()

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()


def augment(image, label):
    image = tf.image.random_flip_left_right(tf.cast(image, tf.float32) / 255.0)
    return tf.image.random_brightness(image, 0.1), label


train = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train = train.shuffle(50_000, seed=SEED)
train = train.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(128).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=10)
print(model.evaluate(x_test / 255.0, y_test))
