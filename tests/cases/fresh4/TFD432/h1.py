import tensorflow as tf

SIZE = (192, 192)


def folder(path, **kwargs):
    return tf.keras.utils.image_dataset_from_directory(
        path, label_mode=None, image_size=SIZE, batch_size=16, shuffle=False, **kwargs
    )


def to_training(images, masks):
    return images / 255.0, tf.cast(masks, tf.int32)


images = folder("buildings/images")
masks = folder("buildings/class_masks", color_mode="grayscale", interpolation="nearest")
train = tf.data.Dataset.zip(images, masks).shuffle(50)
train = train.map(to_training, num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((*SIZE, 3)),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(6, 1),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=30)
