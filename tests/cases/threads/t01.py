import tensorflow as tf

IMG_SIZE = 224
BATCH = 32


def decode(path):
    label = tf.strings.split(path, "/")[-2] == "malignant"
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, [IMG_SIZE, IMG_SIZE]) / 255.0
    return img, tf.cast(label, tf.float32)


def get_dataset_partitions_tf(ds, ds_size, train_split=0.8, val_split=0.1, test_split=0.1,
                              shuffle=True, shuffle_size=10000):
    assert abs(train_split + test_split + val_split - 1.0) < 1e-6

    if shuffle:
        # Specify seed to always have the same split distribution between runs
        ds = ds.shuffle(shuffle_size, seed=12)

    train_size = int(train_split * ds_size)
    val_size = int(val_split * ds_size)

    train_ds = ds.take(train_size)
    val_ds = ds.skip(train_size).take(val_size)
    test_ds = ds.skip(train_size).skip(val_size)

    return train_ds, val_ds, test_ds


paths = sorted(tf.io.gfile.glob("lesions/*/*.jpg"))
files = tf.data.Dataset.from_tensor_slices(paths)
train, val, test = get_dataset_partitions_tf(files, len(paths))

train = train.map(decode, num_parallel_calls=tf.data.AUTOTUNE).batch(BATCH).prefetch(tf.data.AUTOTUNE)
val = val.map(decode, num_parallel_calls=tf.data.AUTOTUNE).batch(BATCH).prefetch(tf.data.AUTOTUNE)
test = test.map(decode, num_parallel_calls=tf.data.AUTOTUNE).batch(BATCH).prefetch(tf.data.AUTOTUNE)

base = tf.keras.applications.MobileNetV2(include_top=False, pooling="avg", input_shape=(IMG_SIZE, IMG_SIZE, 3))
model = tf.keras.Sequential([base, tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=val, epochs=20)
print(model.evaluate(test))
