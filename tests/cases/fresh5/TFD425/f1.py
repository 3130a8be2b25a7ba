import tensorflow as tf

train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(160, 160), seed=3)
classes = len(train.class_names)


def scale(images, labels):
    return images / 255.0, labels


train = train.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(classes),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=10)
