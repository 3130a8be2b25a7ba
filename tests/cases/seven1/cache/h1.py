import tensorflow as tf


def load(path):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (256, 256))
    return img, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)


def augment(img, label):
    img = tf.image.random_crop(img, (224, 224, 3))
    img = tf.image.random_flip_left_right(img)
    img = tf.image.random_brightness(img, 20.0)
    return img, label


ds = (tf.data.Dataset.list_files("/data/leaves/*/*.jpg")
      .map(load, num_parallel_calls=tf.data.AUTOTUNE)
      .cache("/scratch/leaves")
      .shuffle(2000)
      .map(augment, num_parallel_calls=tf.data.AUTOTUNE)
      .batch(32)
      .prefetch(tf.data.AUTOTUNE))

model = tf.keras.applications.MobileNetV3Small(weights=None, classes=12)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=40)
