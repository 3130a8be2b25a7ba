import tensorflow as tf

files = sorted(tf.io.gfile.glob("leaves/*/*.png"))
names = sorted({f.split("/")[-2] for f in files})
labels = [names.index(f.split("/")[-2]) for f in files]


def read(path, label):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (128, 128)) / 255.0, label


n_val = len(files) // 5
ds = tf.data.Dataset.from_tensor_slices((files, labels))
ds = ds.shuffle(len(files), seed=7, reshuffle_each_iteration=False)
val = ds.take(n_val).map(read, num_parallel_calls=tf.data.AUTOTUNE).cache()
train = ds.skip(n_val).map(read, num_parallel_calls=tf.data.AUTOTUNE).cache()
train = train.shuffle(2000).batch(32).prefetch(tf.data.AUTOTUNE)
val = val.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, validation_data=val, epochs=10)
