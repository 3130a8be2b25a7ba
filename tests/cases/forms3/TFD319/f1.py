import tensorflow as tf

paths = sorted(tf.io.gfile.glob("coins/*.jpg"))
values = [float(p.split("_")[-1][:-4]) for p in paths]


def load(path, value):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (128, 128)) / 255.0, value


base = tf.data.Dataset.from_tensor_slices((paths, values))
base = base.shuffle(len(paths), seed=1)
base = base.map(load, num_parallel_calls=tf.data.AUTOTUNE)
flipped = base.map(lambda x, y: (tf.image.flip_left_right(x), y), num_parallel_calls=tf.data.AUTOTUNE)
train = base.concatenate(flipped)
train = train.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(train, epochs=10)
