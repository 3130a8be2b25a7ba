import tensorflow as tf

train_ds = tf.keras.utils.image_dataset_from_directory(
    "dishes/train", image_size=(180, 180), seed=5, batch_size=None
)
class_names = train_ds.class_names
train_ds = train_ds.map(
    lambda image, label: (image / 255.0, label), num_parallel_calls=tf.data.AUTOTUNE
)
train_ds = train_ds.batch(16).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((180, 180, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(class_names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, epochs=10)
