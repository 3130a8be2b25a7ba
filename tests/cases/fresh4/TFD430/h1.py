import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def decode(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.cast(image, tf.float32) / 255.0


def letterbox(image):
    return tf.image.resize_with_pad(image, 320, 320)


def to_bytes(image):
    image = tf.clip_by_value(image, 0.0, 1.0)
    return tf.io.encode_png(tf.image.convert_image_dtype(image, tf.uint8))


images = tf.data.Dataset.list_files("comics/*.png", shuffle=False)
for function in (decode, letterbox, to_bytes):
    images = images.map(function, num_parallel_calls=AUTOTUNE)
images = images.prefetch(AUTOTUNE)

with tf.io.TFRecordWriter("comics.tfrecord") as writer:
    for png in images:
        writer.write(png.numpy())
