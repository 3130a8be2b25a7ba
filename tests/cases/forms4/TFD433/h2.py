import tensorflow as tf


def datasets(root, size, batch_size=32):
    return tf.keras.utils.image_dataset_from_directory(
        root,
        label_mode="categorical",
        validation_split=0.2,
        subset="both",
        seed=1,
        image_size=size,
        batch_size=batch_size,
    )


def numbers(images, labels):
    return images, tf.argmax(labels, axis=-1)


size = (224, 224)
train, val = datasets("minerals", size)
classes = len(train.class_names)
train = train.map(numbers, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
val = val.map(numbers, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

base = tf.keras.applications.EfficientNetB0(
    include_top=False, pooling="avg", input_shape=(*size, 3)
)
base.trainable = False
model = tf.keras.Sequential([base, tf.keras.layers.Dense(classes)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, validation_data=val, epochs=5)
