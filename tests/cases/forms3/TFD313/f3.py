import tensorflow as tf
import tensorflow_datasets as tfds


class Svhn:
    def scale(self, d):
        return {"image": tf.cast(d["image"], tf.float32) / 255.0, "label": d["label"]}

    def shift(self, d):
        padded = tf.image.pad_to_bounding_box(d["image"], 4, 4, 40, 40)
        return tf.image.random_crop(padded, (32, 32, 3)), d["label"]

    def train(self, batch):
        ds = tfds.load("svhn_cropped", split="train", shuffle_files=True)
        ds = ds.shuffle(10000)
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.shift, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(Svhn().train(128), epochs=20)
