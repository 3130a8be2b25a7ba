import csv

import tensorflow as tf

IMG, BATCH = 224, 64


def listing(path):
    with open(path) as fh:
        rows = list(csv.reader(fh))
    return [r[0] for r in rows], [int(r[1]) for r in rows]


def load(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (IMG, IMG)), label


def xrays(listing_path, training):
    paths, labels = listing(listing_path)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE, deterministic=not training)
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def build(classes):
    trunk = tf.keras.applications.DenseNet121(include_top=False, pooling="avg", input_shape=(IMG, IMG, 3))
    trunk.trainable = False
    inp = tf.keras.Input((IMG, IMG, 3))
    x = tf.keras.applications.densenet.preprocess_input(inp)
    x = trunk(x, training=False)
    x = tf.keras.layers.Dropout(0.3)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes)(x))


if __name__ == "__main__":
    train = xrays("/data/cxr/train.csv", True)
    val = xrays("/data/cxr/val.csv", False)
    model = build(14)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, validation_data=val, epochs=8)
