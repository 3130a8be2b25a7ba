import tensorflow as tf

SIZE = (160, 160)


def read(photo_path, mask_path):
    photo = tf.io.decode_jpeg(tf.io.read_file(photo_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    photo = tf.image.resize(photo, SIZE) / 255.0
    mask = tf.image.resize(mask, SIZE, method="nearest")
    return photo, mask


def weather(photo, mask):
    photo = tf.image.random_brightness(photo, 0.15)
    photo = tf.image.random_saturation(photo, 0.8, 1.2)
    return tf.clip_by_value(photo, 0.0, 1.0), mask


photos = sorted(tf.io.gfile.glob("ponds/photos/*.jpg"))
masks = sorted(tf.io.gfile.glob("ponds/masks/*.png"))
train = tf.data.Dataset.from_tensor_slices((photos, masks)).shuffle(len(photos))
train = train.map(read, num_parallel_calls=tf.data.AUTOTUNE)
train = train.map(weather, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(16).prefetch(tf.data.AUTOTUNE)

unet = tf.keras.models.load_model("unet.keras")
unet.fit(train, epochs=30)
