import tensorflow as tf

files = sorted(tf.io.gfile.glob("xray/*/*.jpg"))
labels = [int("/sick/" in f) for f in files]
n_val = len(files) // 5


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0, label


ds = tf.data.Dataset.from_tensor_slices((files, labels))
ds = ds.shuffle(len(files), seed=5, reshuffle_each_iteration=False)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
val = ds.take(n_val)
train = ds.skip(n_val)
train = train.batch(16).prefetch(tf.data.AUTOTUNE)
val = val.batch(16).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train, validation_data=val, epochs=10)
