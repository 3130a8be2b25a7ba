import tensorflow as tf

SIZE = (160, 160)

rotate = tf.keras.Sequential([
    tf.keras.layers.RandomRotation(0.15, fill_mode="reflect"),
    tf.keras.layers.RandomZoom(0.2),
])


def read(photo_path, mask_path):
    photo = tf.io.decode_jpeg(tf.io.read_file(photo_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    photo = tf.image.resize(photo, SIZE) / 255.0
    mask = tf.image.resize(mask, SIZE, method="nearest")
    return photo, mask


photos = sorted(tf.io.gfile.glob("ponds/photos/*.jpg"))
masks = sorted(tf.io.gfile.glob("ponds/masks/*.png"))
train = tf.data.Dataset.from_tensor_slices((photos, masks)).shuffle(len(photos))
train = train.map(read, num_parallel_calls=tf.data.AUTOTUNE).batch(16)
train = train.map(
    lambda photo, mask: (rotate(photo, training=True), mask),
    num_parallel_calls=tf.data.AUTOTUNE,
)
train = train.prefetch(tf.data.AUTOTUNE)

unet = tf.keras.models.load_model("unet.keras")
unet.fit(train, epochs=30)
