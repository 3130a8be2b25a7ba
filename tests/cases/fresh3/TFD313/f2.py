import tensorflow as tf


def as_float(image):
    return tf.image.convert_image_dtype(image, tf.float32)


def center(image):
    return tf.image.central_crop(image, 0.875)


def mirror(image):
    return tf.image.random_flip_left_right(image)


def make_loader(fns):
    def load(path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        for fn in fns:
            image = fn(image)
        return tf.image.resize(image, (200, 200)), label
    return load


files = sorted(tf.io.gfile.glob("mushrooms/*/*.jpg"))
names = sorted({f.split("/")[-2] for f in files})
ds = tf.data.Dataset.from_tensor_slices((files, [names.index(f.split("/")[-2]) for f in files]))
ds = ds.shuffle(len(files))
ds = ds.map(make_loader([as_float, center, mirror]), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=10)
