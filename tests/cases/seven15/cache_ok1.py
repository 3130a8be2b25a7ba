import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def decode(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.cast(tf.image.resize(img, [160, 160]), tf.uint8), label


def augment(images, labels):
    images = tf.image.random_flip_left_right(images)
    images = tf.image.random_brightness(tf.cast(images, tf.float32), 20.0)
    return images, labels


def prepare(paths, labels):
    return (
        tf.data.Dataset.from_tensor_slices((paths, labels))
        .map(decode, num_parallel_calls=AUTO)
        .cache()
        .shuffle(len(paths), seed=2)
        .batch(64)
        .map(augment, num_parallel_calls=AUTO)
        .prefetch(AUTO)
    )


def read(path):
    with open(path) as f:
        rows = [line.split() for line in f]
    return [r[0] for r in rows], [int(r[1]) for r in rows]


def main():
    ds = prepare(*read("pets/trainval.txt"))
    base = tf.keras.applications.MobileNetV2(input_shape=(160, 160, 3), include_top=False, pooling="avg")
    base.trainable = False
    inp = tf.keras.Input((160, 160, 3))
    h = tf.keras.applications.mobilenet_v2.preprocess_input(inp)
    model = tf.keras.Model(inp, tf.keras.layers.Dense(37)(base(h, training=False)))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=10)


main()
