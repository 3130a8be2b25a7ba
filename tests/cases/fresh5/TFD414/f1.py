import tensorflow as tf

COMMON = dict(directory="/data/flowers", validation_split=0.2, image_size=(180, 180), batch_size=32)

train = tf.keras.utils.image_dataset_from_directory(subset="training", seed=17, **COMMON)
val = tf.keras.utils.image_dataset_from_directory(subset="validation", seed=71, **COMMON)
names = train.class_names

train = train.prefetch(tf.data.AUTOTUNE)
val = val.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(train, validation_data=val, epochs=15)
