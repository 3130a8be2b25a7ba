import tensorflow as tf


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    label = tf.cast(tf.strings.regex_full_match(path, ".*/rust/.*"), tf.float32)
    return tf.image.resize(image, (112, 112)) / 255.0, label


def pipeline(pattern, training, batch=32):
    loop = (lambda d: d.shuffle(2000).repeat()) if training else (lambda d: d)
    ds = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    ds = loop(ds)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(pipeline("metal/train/*/*.jpg", True), steps_per_epoch=400, epochs=10,
          validation_data=pipeline("metal/val/*/*.jpg", False))
