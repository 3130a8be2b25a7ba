import tensorflow as tf


def load(image_path, mask_path):
    image = tf.io.decode_jpeg(tf.io.read_file(image_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    image = tf.image.resize(image, (128, 128)) / 255.0
    mask = tf.image.resize(mask, (128, 128), method="nearest")
    return image, mask


def augment(image, mask):
    if tf.random.uniform([]) < 0.5:
        image = tf.image.flip_left_right(image)
        mask = tf.image.flip_left_right(mask)
    image = tf.image.random_brightness(image, 0.1)
    return image, mask


image_paths = sorted(tf.io.gfile.glob("lanes/images/*.jpg"))
mask_paths = sorted(tf.io.gfile.glob("lanes/masks/*.png"))
train = tf.data.Dataset.from_tensor_slices((image_paths, mask_paths))
train = train.shuffle(len(image_paths))
train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE)
train = train.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(16).prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("unet.keras")
model.fit(train, epochs=40)
