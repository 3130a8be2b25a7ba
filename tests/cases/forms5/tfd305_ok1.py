import tensorflow as tf

paths = tf.io.gfile.glob("/data/cars/train/*/*.jpg")
classes = sorted({p.split("/")[-2] for p in paths})
labels = [classes.index(p.split("/")[-2]) for p in paths]


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    side = tf.minimum(tf.shape(image)[0], tf.shape(image)[1])
    image = tf.image.random_crop(image, (side, side, 3))
    return tf.image.resize(image, (192, 192)), label


train = (
    tf.data.Dataset.from_tensor_slices((paths, labels))
    .shuffle(len(paths))
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(128)
    .map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    .prefetch(tf.data.AUTOTUNE)
)

model = tf.keras.applications.MobileNetV2((192, 192, 3), weights=None, classes=len(classes))
model.compile(
    optimizer="adam",
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(train, epochs=50)
