import tensorflow as tf


def get_partitions(ds, size, train=0.8, val=0.1, shuffle=True, buffer=10000):
    if shuffle:
        ds = ds.shuffle(buffer, seed=12)
    n_train = int(train * size)
    n_val = int(val * size)
    train_ds = ds.take(n_train)
    val_ds = ds.skip(n_train).take(n_val)
    test_ds = ds.skip(n_train).skip(n_val)
    return train_ds, val_ds, test_ds


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (256, 256)) / 255.0, label


files = sorted(tf.io.gfile.glob("potato/*/*.jpg"))
names = sorted({f.split("/")[-2] for f in files})
source = tf.data.Dataset.from_tensor_slices((files, [names.index(f.split("/")[-2]) for f in files]))
parts = get_partitions(source, len(files))
train, val, test = [
    p.map(decode, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE) for p in parts]
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, validation_data=val, epochs=20)
model.evaluate(test)
