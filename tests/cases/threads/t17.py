import tensorflow as tf
import tensorflow_datasets as tfds

options = tf.data.Options()
options.deterministic = False

read_config = tfds.ReadConfig(
    options=options,
    shuffle_seed=123,
    shuffle_reshuffle_each_iteration=True,
)

ds = tfds.load(
    "mnist",
    split="train",
    batch_size=32,
    shuffle_files=True,
    as_supervised=True,
    read_config=read_config,
)
ds = ds.map(lambda image, label: (tf.cast(image, tf.float32) / 255.0, label),
            num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

for _ in range(3):
    for _, label in ds.take(2):
        print(label)
    print()

model = tf.keras.Sequential([
    tf.keras.layers.Input((28, 28, 1)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(ds, epochs=5)
