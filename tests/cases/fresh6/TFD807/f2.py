import tensorflow as tf
from tensorflow.data.experimental import service


class RemoteInput:
    def __init__(self, pattern, address, policy=service.ShardingPolicy.OFF):
        self.pattern = pattern
        self.address = address
        self.policy = policy

    def load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (224, 224)) / 255.0
        return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)

    def remote(self, ds):
        return ds.apply(service.distribute(self.policy, self.address))

    def dataset(self, size):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE).batch(size)
        return self.remote(ds).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(RemoteInput("gs://bucket/cats_dogs/*/*.jpg", "grpc://dispatcher:5000").dataset(64), epochs=20)
