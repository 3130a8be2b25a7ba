import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar100.load_data()
x_train = x_train.astype("float32")
x_test = x_test.astype("float32")


def scaled(sample):
    image = tf.image.convert_image_dtype(sample["image"], "float32")
    return image - 0.5, sample["label"]


def dataset(images, labels):
    return tf.data.Dataset.from_tensor_slices({"image": images, "label": labels})


train = dataset(x_train, y_train).shuffle(50_000)
train = train.map(scaled, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(100).prefetch(tf.data.AUTOTUNE)
test = dataset(x_test, y_test).map(scaled, num_parallel_calls=tf.data.AUTOTUNE)
test = test.batch(100).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(100),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, validation_data=test, epochs=30)
