import tensorflow as tf

common = dict(label_mode=None, image_size=(128, 128), batch_size=None)

low = tf.keras.utils.image_dataset_from_directory("div2k/low", **common)
high = tf.keras.utils.image_dataset_from_directory("div2k/high", **common)

pairs = tf.data.Dataset.zip({"low": low, "high": high})


def scale(pair):
    return pair["low"] / 255.0, pair["high"] / 255.0


train = pairs.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(16).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((128, 128, 3)),
    tf.keras.layers.Conv2D(64, 9, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(32, 1, activation="relu"),
    tf.keras.layers.Conv2D(3, 5, padding="same"),
])
model.compile("adam", "mse")
model.fit(train, epochs=100)
