import tensorflow as tf

train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(224, 224), batch_size=32)
classes = len(train.class_names)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(classes),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = [
    tf.keras.callbacks.TensorBoard("/logs/food", profile_batch="1,5"),
    tf.keras.callbacks.ModelCheckpoint("/models/food.keras", save_best_only=True, monitor="loss"),
]
model.fit(train, epochs=5, callbacks=callbacks)
