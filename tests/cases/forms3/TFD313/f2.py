import tensorflow as tf

CROP = 224
paths = sorted(tf.io.gfile.glob("places/*.jpg"))
targets = [float(p.rsplit("_", 1)[1][:-4]) for p in paths]


def load(path, target):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.resize_with_crop_or_pad(image, 256, 256)
    image = tf.image.random_crop(image, [CROP, CROP, 3])
    return image, target


ds = tf.data.Dataset.from_tensor_slices((paths, targets)).shuffle(len(paths))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(ds, epochs=12)
