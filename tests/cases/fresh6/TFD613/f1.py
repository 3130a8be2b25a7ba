import tensorflow as tf


def build(classes):
    return tf.keras.Sequential([
        tf.keras.Input((224, 224, 3)),
        tf.keras.layers.Rescaling(1.0 / 255),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(classes),
        tf.keras.layers.Activation("softmax", dtype="float32"),
    ])


train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(224, 224), batch_size=64)
model = build(len(train.class_names))
tf.keras.mixed_precision.set_global_policy("mixed_float16")
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=10)
