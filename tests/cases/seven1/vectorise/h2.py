import tensorflow as tf


def load_image(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224))
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return image, label


def train_dataset(pattern, batch_size):
    paths = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = paths.map(load_image, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.applications.EfficientNetV2B0(weights=None, classes=500)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_dataset("/photos/train/*/*.jpg", 64), epochs=30)
