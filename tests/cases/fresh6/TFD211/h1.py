import tensorflow as tf

base = tf.keras.applications.ResNet50(include_top=False, pooling="avg", weights="imagenet")
base.trainable = False


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224))
    image = tf.keras.applications.resnet50.preprocess_input(image)
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)


ds = tf.data.Dataset.list_files("/data/cats_dogs/*/*.jpg")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(64)
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([base, tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=20)
