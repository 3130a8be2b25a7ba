import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
files = sorted(tf.io.gfile.glob("data/birds/*/*.jpg"))
classes = sorted({f.split("/")[-2] for f in files})
labels = [classes.index(f.split("/")[-2]) for f in files]


def decode_crop(data, label):
    shape = tf.io.extract_jpeg_shape(data)
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        shape, tf.zeros((1, 0, 4)), area_range=(0.1, 1.0), use_image_if_no_bounding_boxes=True)
    y, x, _ = tf.unstack(begin)
    h, w, _ = tf.unstack(size)
    img = tf.io.decode_and_crop_jpeg(data, tf.stack([y, x, h, w]), channels=3)
    return tf.image.resize(img, (160, 160)) / 255.0, label


ds = tf.data.Dataset.from_tensor_slices((files, labels))
ds = ds.map(lambda f, y: (tf.io.read_file(f), y), num_parallel_calls=AUTOTUNE)
ds = ds.cache()
ds = ds.shuffle(len(files))
ds = ds.map(decode_crop, num_parallel_calls=AUTOTUNE)
ds = ds.batch(32).prefetch(AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(classes), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=20)
