import tensorflow as tf


def load(path):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return {"image": tf.image.resize(img, (160, 160)) / 255.0,
            "age": tf.strings.to_number(tf.strings.split(tf.strings.split(path, "/")[-1], "_")[0])}


def as_pair(batch):
    return batch["image"], batch["age"]


ds = tf.data.Dataset.list_files("/data/utk/*.jpg", shuffle=False)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache("/scratch/utk")
ds = ds.shuffle(2048).batch(64)
ds = ds.map(as_pair, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(ds, epochs=30)
