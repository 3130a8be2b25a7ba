import tensorflow as tf

AUTO = tf.data.AUTOTUNE
CHANNELS = "channels_first"


def load(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, [128, 128]) / 255.0
    return tf.transpose(img, [2, 0, 1]), label


def dataset(index, batch=64):
    with open(index) as f:
        rows = [line.split() for line in f]
    paths, labels = [r[0] for r in rows], [int(r[1]) for r in rows]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=AUTO)
    return ds.batch(batch).prefetch(AUTO)


def convnet(classes):
    inp = tf.keras.Input((3, 128, 128))
    h = inp
    for width in (32, 64, 128):
        h = tf.keras.layers.Conv2D(width, 3, activation="relu", data_format=CHANNELS)(h)
        h = tf.keras.layers.MaxPool2D(data_format=CHANNELS)(h)
    h = tf.keras.layers.GlobalAveragePooling2D(data_format=CHANNELS)(h)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes)(h))


def main():
    model = convnet(43)
    model.compile(
        "adam",
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(dataset("gtsrb/train.txt"), epochs=12)


main()
