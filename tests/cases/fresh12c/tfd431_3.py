"""Document type classifier (letters, invoices, forms) on page scans."""
import tensorflow as tf

PAGE = (384, 288)


def page(path, label):
    scan = tf.io.decode_png(tf.io.read_file(path), channels=1)
    scan = tf.image.resize(scan, PAGE, antialias=True)
    scan = tf.image.grayscale_to_rgb(scan)
    return scan / 255.0, label


def standardize(scan, label):
    mean = tf.constant([0.485, 0.456, 0.406])
    std = tf.constant([0.229, 0.224, 0.225])
    return (scan - mean) / std, label


def pages(listing, training):
    with open(listing) as f:
        entries = [line.split() for line in f]
    paths, labels = zip(*((e[0], int(e[1])) for e in entries))
    ds = tf.data.Dataset.from_tensor_slices((list(paths), list(labels)))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(page, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(48, drop_remainder=training)
    return ds.map(standardize, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def build():
    base = tf.keras.applications.ConvNeXtTiny(
        include_top=False, include_preprocessing=False, weights="imagenet",
        input_shape=(*PAGE, 3), pooling="avg")
    return tf.keras.Model(base.input, tf.keras.layers.Dense(16)(base.output))


model = build()
model.compile(tf.keras.optimizers.AdamW(5e-5),
              tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(pages("/data/rvl/train.txt", True), validation_data=pages("/data/rvl/val.txt", False), epochs=8)
