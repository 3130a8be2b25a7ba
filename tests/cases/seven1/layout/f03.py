import tensorflow as tf

CONV = dict(kernel_size=3, padding="same", activation="relu", data_format="channels_first")


def read_example(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (192, 192))
    image = tf.image.per_image_standardization(image)
    image = tf.transpose(image, perm=[2, 0, 1])
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return image, label


def make_data(pattern, batch_size=64):
    files = tf.data.Dataset.list_files(pattern)
    data = files.map(read_example, num_parallel_calls=tf.data.AUTOTUNE)
    return data.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def make_model(classes):
    model = tf.keras.Sequential([tf.keras.Input((3, 192, 192))])
    for width in (32, 64, 128):
        model.add(tf.keras.layers.Conv2D(width, **CONV))
        model.add(tf.keras.layers.BatchNormalization(axis=1))
        model.add(tf.keras.layers.MaxPooling2D(data_format=CONV["data_format"]))
    model.add(tf.keras.layers.Flatten(data_format=CONV["data_format"]))
    model.add(tf.keras.layers.Dense(classes, activation="softmax"))
    return model


if __name__ == "__main__":
    net = make_model(50)
    net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    net.fit(make_data("/data/food/*/*.jpg"), epochs=25)
