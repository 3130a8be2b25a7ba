# %%
import tensorflow as tf
import tensorflow_datasets as tfds

# %%
(ds_train, ds_test), info = tfds.load(
    "fashion_mnist",
    split=["train", "test"],
    shuffle_files=True,
    as_supervised=True,
    with_info=True,
)
n_classes = info.features["label"].num_classes


# %%
def normalize_img(image, label):
    return tf.cast(image, tf.float32) / 255.0, tf.one_hot(label, n_classes)


ds_train = ds_train.cache()
ds_train = ds_train.shuffle(info.splits["train"].num_examples)
ds_train = ds_train.map(normalize_img, num_parallel_calls=tf.data.AUTOTUNE)
ds_train = ds_train.batch(128)
ds_train = ds_train.prefetch(tf.data.AUTOTUNE)

ds_test = ds_test.batch(256)
ds_test = ds_test.map(normalize_img, num_parallel_calls=tf.data.AUTOTUNE)
ds_test = ds_test.prefetch(tf.data.AUTOTUNE)

# %%
model = tf.keras.models.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28, 1)),
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(n_classes),
])
model.compile(
    optimizer=tf.keras.optimizers.Adam(0.001),
    loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.05),
    metrics=["accuracy"],
)

# %%
history = model.fit(ds_train, epochs=6, validation_data=ds_test)
print(history.history["val_accuracy"])
