# %%
import tensorflow as tf
import tensorflow_datasets as tfds

builder = tfds.builder("eurosat/rgb")
builder.download_and_prepare()
train_raw, val_raw = builder.as_dataset(split=["train[:90%]", "train[90%:]"], shuffle_files=True)

# %%
def to_model(d):
    x = tf.cast(d["image"], tf.float32)
    x = (x - 100.0) / 50.0
    return {"image": x}, {"land": tf.one_hot(d["label"], 10), "water": tf.cast(tf.equal(d["label"], 9), tf.float32)[..., None]}

# %%
train = train_raw.shuffle(27_000).map(to_model, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

val = val_raw.batch(128).map(to_model, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

# %%
image = tf.keras.Input((64, 64, 3), name="image")
h = tf.keras.layers.Conv2D(32, 3, activation="relu")(image)
h = tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu")(h)
h = tf.keras.layers.GlobalAveragePooling2D()(h)
outputs = {
    "land": tf.keras.layers.Dense(10, activation="softmax", name="land")(h),
    "water": tf.keras.layers.Dense(1, activation="sigmoid", name="water")(h),
}
model = tf.keras.Model({"image": image}, outputs)
model.compile("adam", {"land": "categorical_crossentropy", "water": "binary_crossentropy"})

# %%
history = model.fit(train, validation_data=val, epochs=30)
