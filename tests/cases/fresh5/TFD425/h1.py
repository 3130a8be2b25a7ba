import tensorflow as tf

train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(160, 160), seed=3, batch_size=None)
classes = len(train.class_names)


def augment(image, label):
    image = tf.image.random_crop(image, (144, 144, 3))
    return tf.image.random_flip_left_right(image) / 255.0, label


train = train.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(classes),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=10)
