import tensorflow as tf

SPEC = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "box": tf.io.FixedLenFeature([4], tf.int64),
    "plate": tf.io.FixedLenFeature([], tf.string),
}


def crop(record):
    example = tf.io.parse_single_example(record, SPEC)
    top, left, height, width = tf.unstack(tf.cast(example["box"], tf.int32))
    image = tf.io.decode_jpeg(example["image"], channels=1)
    image = tf.image.crop_to_bounding_box(image, top, left, height, width)
    return tf.image.convert_image_dtype(image, tf.float32), example["plate"]


plates = tf.data.TFRecordDataset(tf.io.gfile.glob("traffic/*.tfrecord"))
plates = plates.map(crop, num_parallel_calls=tf.data.AUTOTUNE)
plates = plates.batch(24).prefetch(tf.data.AUTOTUNE)

reader = tf.keras.models.load_model("plates.keras")
for images, texts in plates:
    print(texts.numpy(), reader(images, training=False).shape)
