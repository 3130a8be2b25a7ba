import tensorflow as tf


def load(path):
    label = tf.cast(tf.strings.regex_full_match(path, ".*/defect_.*"), tf.int32)
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (128, 128)) / 255.0, label


def augment(image, label):
    image = tf.image.random_flip_up_down(image)
    image = tf.image.random_contrast(image, 0.8, 1.2)
    return image, label


def datasets(pattern, held_out=400, batch_size=32):
    paths = tf.data.Dataset.list_files(pattern, shuffle=False)
    paths = paths.shuffle(10_000, seed=1, reshuffle_each_iteration=False)
    images = paths.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    images = images.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    test = images.take(held_out)
    train = images.skip(held_out).shuffle(1000)
    return [ds.batch(batch_size).prefetch(tf.data.AUTOTUNE) for ds in (train, test)]


train_ds, test_ds = datasets("parts/*.png")
model = tf.keras.Sequential([
    tf.keras.Input((128, 128, 1)),
    tf.keras.layers.Conv2D(16, 5, strides=2, activation="relu"),
    tf.keras.layers.GlobalMaxPooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(train_ds, epochs=20)
loss, auc = model.evaluate(test_ds)
print(f"AUC {auc:.3f}")
