import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
augmentation = tf.keras.Sequential([
    tf.keras.layers.RandomFlip("horizontal"),
    tf.keras.layers.RandomRotation(0.1),
])

splits = {}
for name in ("train", "validation"):
    ds = tf.keras.utils.image_dataset_from_directory(
        f"pets/{name}", image_size=(150, 150), batch_size=32, shuffle=name == "train", seed=11
    )
    ds = ds.map(
        lambda images, labels: (augmentation(images, training=True), labels),
        num_parallel_calls=AUTOTUNE,
    )
    splits[name] = ds.prefetch(AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((150, 150, 3)),
    tf.keras.layers.Rescaling(1 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(37, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(splits["train"], validation_data=splits["validation"], epochs=15)
