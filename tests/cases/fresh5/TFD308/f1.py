import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [512, 512]) / 255.0
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return image, label


train_ds = (
    tf.data.Dataset.list_files("/data/retina/*/*.jpg", shuffle=False)
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(10_000)
    .batch(16)
    .prefetch(tf.data.AUTOTUNE)
)

backbone = tf.keras.applications.EfficientNetB0(include_top=False, weights=None, pooling="avg")
model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(255.0),
    backbone,
    tf.keras.layers.Dense(5),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train_ds, epochs=30)
