import tensorflow as tf
import tensorflow_datasets as tfds


class Svhn:
    def mirror(self, d):
        return {"image": tf.image.random_flip_left_right(d["image"]), "label": d["label"]}

    def color(self, d):
        image = tf.image.convert_image_dtype(d["image"], tf.float32)
        image = tf.image.random_brightness(image, 0.1)
        image = tf.image.random_contrast(image, 0.8, 1.2)
        return tf.clip_by_value(image, 0.0, 1.0), d["label"]

    def train(self, batch):
        ds = tfds.load("svhn_cropped", split="train", shuffle_files=True)
        ds = ds.shuffle(10000)
        ds = ds.map(self.mirror, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.color, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(Svhn().train(128), epochs=20)
