import tensorflow as tf

base = tf.keras.applications.ResNet50(include_top=False, pooling="avg", weights="imagenet")
base.trainable = False


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224))
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


def features(images, labels):
    images = tf.keras.applications.resnet50.preprocess_input(images)
    return base(images, training=False), labels


ds = tf.data.Dataset.list_files("/data/cats_dogs/*/*.jpg")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(64)
ds = ds.map(features, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)
head = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid")])
head.compile("adam", "binary_crossentropy")
head.fit(ds, epochs=20)
