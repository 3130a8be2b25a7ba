"""Mushroom classifier: dataset options in a dict, decode cached, augmentation after it."""
import tensorflow as tf

OPTIONS = {
    "glob": "/data/fungi/*/*.jpg",
    "size": 256,
    "crop": 224,
    "cache": "/nvme/fungi/decoded",
    "shuffle": 3000,
    "batch": 64,
}


def decode(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize_with_pad(img, OPTIONS["size"], OPTIONS["size"], antialias=True)
    return tf.cast(img, tf.uint8), label


def augment(x, y):
    x = tf.image.random_crop(x, [tf.shape(x)[0], OPTIONS["crop"], OPTIONS["crop"], 3])
    x = tf.image.random_flip_left_right(x)
    x = tf.image.random_saturation(tf.image.convert_image_dtype(x, tf.float32), 0.7, 1.3)
    return x, y


def fungi(o):
    files = sorted(tf.io.gfile.glob(o["glob"]))
    names = sorted({f.split("/")[-2] for f in files})
    labels = [names.index(f.split("/")[-2]) for f in files]
    ds = tf.data.Dataset.from_tensor_slices((files, labels))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    if o.get("cache") is not None:
        ds = ds.cache(o["cache"])
    ds = ds.shuffle(o["shuffle"]).batch(o["batch"], drop_remainder=True)
    ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE), len(names)


train, n = fungi(OPTIONS)
base = tf.keras.applications.Xception(include_top=False, weights=None, input_shape=(224, 224, 3), pooling="avg")
model = tf.keras.Sequential([base, tf.keras.layers.Dropout(0.3), tf.keras.layers.Dense(n)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=90)
