import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
RATE = 16000


def read(path, label):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=RATE)
    return wave, label


def dataset(root, classes, training):
    paths, labels = [], []
    for index, name in enumerate(classes):
        found = tf.io.gfile.glob(f"{root}/{name}/*.wav")
        paths += found
        labels += [index] * len(found)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(read, num_parallel_calls=AUTOTUNE)
    return ds.batch(64, drop_remainder=training).prefetch(AUTOTUNE)


def block(x, width, stride):
    x = tf.keras.layers.Conv1D(width, 9, strides=stride, padding="same", use_bias=False)(x)
    x = tf.keras.layers.BatchNormalization()(x)
    return tf.keras.layers.ReLU()(x)


def network(classes):
    inputs = tf.keras.Input([RATE, 1])
    x = tf.keras.layers.Conv1D(16, 80, strides=4, activation="relu")(inputs)
    x = tf.keras.layers.BatchNormalization()(x)
    for width in (32, 64, 128):
        x = block(x, width, 4)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    x = tf.keras.layers.Dense(64, activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(classes)(x))


if __name__ == "__main__":
    labels = ["dog_bark", "drilling", "siren", "street_music"]
    model = network(len(labels))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(
        dataset("urban/train", labels, True), validation_data=dataset("urban/test", labels, False), epochs=30
    )
