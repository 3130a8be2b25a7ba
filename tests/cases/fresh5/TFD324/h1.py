import tensorflow as tf


def make_dataset(pattern, side, batch_size):
    def load(path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (side, side)) / 255.0
        return image, tf.cast(tf.strings.split(path, "/")[-2] == "cat", tf.float32)

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((None, None, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")

for side, batch_size in [(64, 256), (128, 64), (256, 16)]:
    train = make_dataset("/data/pets/*/*.jpg", side, batch_size)
    model.fit(train, epochs=5)
