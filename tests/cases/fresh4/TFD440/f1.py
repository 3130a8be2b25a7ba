import tensorflow as tf

SEED = 2718
tf.keras.utils.set_random_seed(SEED)

augmentation = tf.keras.Sequential([
    tf.keras.layers.RandomFlip("horizontal", seed=SEED),
    tf.keras.layers.RandomRotation(0.05, seed=SEED),
])

train, valid = tf.keras.utils.image_dataset_from_directory(
    "shells",
    validation_split=0.2,
    subset="both",
    seed=SEED,
    image_size=(160, 160),
    batch_size=32,
)
train = train.map(
    lambda images, labels: (augmentation(images, training=True), labels),
    num_parallel_calls=tf.data.AUTOTUNE,
).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((160, 160, 3)),
    tf.keras.layers.Rescaling(1 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(12, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, validation_data=valid.prefetch(tf.data.AUTOTUNE), epochs=10)
