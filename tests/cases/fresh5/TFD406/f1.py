import tensorflow as tf

BATCH = 64


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


paths = tf.io.gfile.glob("/data/cats_dogs/*/*.jpg")
ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)
steps = sum(1 for _ in ds)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
schedule = tf.keras.optimizers.schedules.CosineDecay(1e-3, decay_steps=steps * 20)
model.compile(tf.keras.optimizers.Adam(schedule), "binary_crossentropy")
model.fit(ds, epochs=20)
