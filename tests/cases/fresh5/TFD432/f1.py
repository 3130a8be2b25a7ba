import tensorflow as tf

SIZE = (256, 256)


def read(path, channels):
    data = tf.io.decode_png(tf.io.read_file(path), channels=channels)
    return tf.image.resize(data, SIZE)


def load(image_path, mask_path):
    image = read(image_path, 3) / 255.0
    mask = tf.cast(read(mask_path, 1), tf.int32)
    return image, mask


images = sorted(tf.io.gfile.glob("/data/city/images/*.png"))
masks = sorted(tf.io.gfile.glob("/data/city/masks/*.png"))
ds = tf.data.Dataset.from_tensor_slices((images, masks)).shuffle(len(images))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(8).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(34, 1),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=40)
