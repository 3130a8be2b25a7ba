import tensorflow as tf


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (128, 128)) / 255.0
    return image, tf.cast(tf.strings.regex_full_match(path, ".*cat.*"), tf.float32)


def make_dataset(pattern, batch=32):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(16, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    best = float("inf")
    for epoch in range(25):
        train = make_dataset("pets/train/*.jpg")
        history = model.fit(train, epochs=1, verbose=2)
        if history.history["loss"][-1] < best:
            best = history.history["loss"][-1]
            model.save("best.keras")


if __name__ == "__main__":
    main()
