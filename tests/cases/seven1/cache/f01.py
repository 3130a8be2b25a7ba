import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
BATCH = 48


def load_and_resize(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (256, 256), method="bicubic")
    parts = tf.strings.split(path, "/")
    return image / 255.0, tf.strings.to_number(parts[-2], tf.int32)


ds = tf.data.Dataset.list_files("/data/satellite/*/*.jpg")
ds = ds.cache()
ds = ds.map(load_and_resize, num_parallel_calls=AUTOTUNE)
ds = ds.shuffle(1000)
ds = ds.batch(BATCH)
ds = ds.prefetch(AUTOTUNE)

model = tf.keras.applications.Xception(weights=None, classes=21, input_shape=(256, 256, 3))
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=60)
