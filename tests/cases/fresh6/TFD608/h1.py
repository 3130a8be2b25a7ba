import tensorflow as tf


def build(classes):
    weights = tf.ones([classes]) / classes
    return tf.keras.Sequential([
        tf.keras.layers.Rescaling(1.0 / 255),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(classes, bias_initializer=lambda shape, dtype: tf.math.log(weights)),
    ])


for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(224, 224), batch_size=64)
model = build(len(train.class_names))
train = train.prefetch(tf.data.AUTOTUNE)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=10)
