import tensorflow as tf


def make_dataset(pattern, side, batch=32):
    def decode(path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (side, side)) / 255.0
        return image, tf.cast(tf.strings.regex_full_match(path, ".*cat.*"), tf.float32)

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((None, None, 3)),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
for side in (64, 96, 128, 192, 256):
    train = make_dataset("pets/train/*.jpg", side)
    model.fit(train, epochs=5, verbose=2)
    model.save(f"side{side}.keras")
