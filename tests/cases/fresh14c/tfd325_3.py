import tensorflow as tf

CLASSES = 34
SIZE = (128, 256)
AUTOTUNE = tf.data.AUTOTUNE


def load(image_path, label_path):
    image = tf.io.decode_png(tf.io.read_file(image_path), channels=3)
    label = tf.io.decode_png(tf.io.read_file(label_path), channels=1)
    image = tf.cast(tf.image.resize(image, SIZE), tf.uint8)
    label = tf.image.resize(label, SIZE, method="nearest")
    return image, label[..., 0]


def expand(images, labels):
    return tf.cast(images, tf.float32) / 255.0, tf.one_hot(labels, CLASSES)


def dataset(images, labels, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    ds = ds.map(load, num_parallel_calls=AUTOTUNE)
    ds = ds.cache()
    ds = ds.shuffle(len(images))
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(expand, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def network():
    inputs = tf.keras.Input([*SIZE, 3])
    skip = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(skip)
    x = tf.keras.layers.Conv2D(128, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.UpSampling2D()(x)
    x = tf.keras.layers.Concatenate()([skip, x])
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(CLASSES, 1)(x))


def main():
    images = sorted(tf.io.gfile.glob("cityscapes/images/train/*.png"))
    labels = [name.replace("/images/", "/labels/") for name in images]
    model = network()
    model.compile("adam", tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.05))
    model.fit(dataset(images, labels, 8), epochs=60)


if __name__ == "__main__":
    main()
