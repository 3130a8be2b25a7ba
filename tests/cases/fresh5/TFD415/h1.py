import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    image = tf.image.resize(image, (64, 64)) / 255.0
    return image, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)


def build(pattern, batch_size, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=training)
    return ds.prefetch(tf.data.AUTOTUNE)


train = build("/data/glyphs/train/*/*.png", 128, True)
test = build("/data/glyphs/test/*/*.png", 128, False)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(62),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(train, epochs=10)
print(model.evaluate(test))
