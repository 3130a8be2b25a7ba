import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    image = tf.image.resize(image, (64, 64)) / 255.0
    return image, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)


paths = sorted(tf.io.gfile.glob("/data/glyphs/*/*.png"))
n = len(paths)
cut = int(n * 0.9)
ds = tf.data.Dataset.from_tensor_slices(paths)
ds = ds.shuffle(n, 5, False)
train = ds.take(cut).shuffle(cut).map(load, num_parallel_calls=tf.data.AUTOTUNE)
val = ds.skip(cut).map(load, num_parallel_calls=tf.data.AUTOTUNE)
train, val = (d.batch(64).prefetch(tf.data.AUTOTUNE) for d in (train, val))

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(62),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, validation_data=val, epochs=10)
