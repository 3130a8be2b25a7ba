import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (150, 150), antialias=True)
    return tf.cast(image, tf.uint8), label


def jitter(image):
    image = tf.image.random_crop(image, (128, 128, 3))
    image = tf.image.random_hue(image, 0.05)
    return tf.image.random_jpeg_quality(image, 60, 100)


def augment(image, label):
    return jitter(image), label


def make_train(paths, labels):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.map(load, num_parallel_calls=AUTOTUNE)
    ds = ds.cache("/tmp/leaves")
    ds = ds.shuffle(2048)
    ds = ds.map(augment, num_parallel_calls=AUTOTUNE)
    return ds.batch(64).prefetch(AUTOTUNE)


folders = sorted(tf.io.gfile.listdir("/data/leaves"))
paths, labels = [], []
for index, folder in enumerate(folders):
    for path in tf.io.gfile.glob(f"/data/leaves/{folder}/*.jpg"):
        paths.append(path)
        labels.append(index)

model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1 / 255.0),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(folders), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(make_train(paths, labels), epochs=80)
