import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [512, 512]) / 255.0
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return image, label


paths = tf.io.gfile.glob("/data/retina/*/*.jpg")
train_ds = (
    tf.data.Dataset.from_tensor_slices(paths)
    .shuffle(len(paths))
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(16)
    .prefetch(tf.data.AUTOTUNE)
)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 5, strides=4, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(5),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train_ds, epochs=30)
