import tensorflow as tf

SIZE = (256, 256)


def splits(root, **kwargs):
    common = dict(validation_split=0.1, seed=5, image_size=SIZE, batch_size=64, **kwargs)
    return {
        name: tf.keras.utils.image_dataset_from_directory(root, subset=name, **common)
        for name in ("training", "validation")
    }


augment = tf.keras.Sequential([
    tf.keras.layers.RandomFlip("horizontal"),
    tf.keras.layers.RandomRotation(0.1),
])

data = splits("/data/inaturalist", label_mode="categorical")
names = data["training"].class_names
train = data["training"].map(
    lambda x, y: (augment(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(buffer_size=1000)
valid = data["validation"].prefetch(buffer_size=1000)

base = tf.keras.applications.EfficientNetV2B0(include_top=False, input_shape=SIZE + (3,))
base.trainable = False
inputs = tf.keras.Input(SIZE + (3,))
h = base(inputs, training=False)
h = tf.keras.layers.GlobalAveragePooling2D()(h)
outputs = tf.keras.layers.Dense(len(names), activation="softmax")(h)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=valid, epochs=10)
