import tensorflow as tf


def read_png(pattern, channels):
    paths = tf.data.Dataset.list_files(pattern)
    return paths.map(
        lambda path: tf.io.decode_png(tf.io.read_file(path), channels=channels),
        num_parallel_calls=tf.data.AUTOTUNE,
    )


def scale(image, mask):
    image = tf.image.resize(image, (256, 256)) / 255.0
    mask = tf.image.resize(mask, (256, 256), method="nearest")
    return image, mask


def segmentation_dataset(root, batch_size=8):
    images = read_png(f"{root}/images/*.png", 3)
    masks = read_png(f"{root}/masks/*.png", 1)
    ds = tf.data.Dataset.zip(images, masks)
    ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.models.load_model("unet.keras")
model.fit(segmentation_dataset("roads"), epochs=50)
