import tensorflow as tf

SHORT_SIDE = 256


def resize_short_side(image):
    shape = tf.cast(tf.shape(image)[:2], tf.float32)
    scale = SHORT_SIDE / tf.reduce_min(shape)
    new_size = tf.cast(tf.round(shape * scale), tf.int32)
    return tf.image.resize(image, new_size)


def read(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return resize_short_side(image) / 255.0, path


def embed(pattern):
    backbone = tf.keras.applications.ResNet50V2(include_top=False, pooling="avg")
    ds = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
    for images, paths in ds:
        yield from zip(paths.numpy(), backbone(images * 2.0 - 1.0, training=False).numpy())


vectors = dict(embed("paintings/*.png"))
print(len(vectors))
