import tensorflow as tf


def load(image_path, depth_path):
    image = tf.io.decode_jpeg(tf.io.read_file(image_path), channels=3)
    depth = tf.io.decode_png(tf.io.read_file(depth_path), channels=1, dtype=tf.uint16)
    image = tf.image.resize(image, (256, 256)) / 255.0
    depth = tf.image.resize(tf.cast(depth, tf.float32) / 1000.0, (256, 256))
    return image, depth


images = sorted(tf.io.gfile.glob("rooms/rgb/*.jpg"))
depths = sorted(tf.io.gfile.glob("rooms/depth/*.png"))
train = tf.data.Dataset.from_tensor_slices((images, depths)).shuffle(len(images))
train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(8).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((256, 256, 3)),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(1, 1, activation="softplus"),
])
model.compile("adam", "mae")
model.fit(train, epochs=30)
