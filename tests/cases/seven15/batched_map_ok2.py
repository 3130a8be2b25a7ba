import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def read(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, [224, 224]), label


def scale(imgs, labels):
    return imgs / 127.5 - 1.0, tf.one_hot(labels, 120)


def dogs(index, batch):
    with open(index) as f:
        rows = [line.split("\t") for line in f.read().splitlines()]
    paths, labels = [r[0] for r in rows], [int(r[1]) for r in rows]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    for fn, group in ((read, None), (scale, batch)):
        if group:
            ds = ds.batch(group)
        ds = ds.map(fn, num_parallel_calls=AUTO)
    return ds.prefetch(AUTO)


net = tf.keras.Sequential([
    tf.keras.applications.Xception(include_top=False, input_shape=(224, 224, 3), pooling="avg"),
    tf.keras.layers.Dense(120),
])
net.compile("adam", tf.keras.losses.CategoricalCrossentropy(from_logits=True))
net.fit(dogs("stanford_dogs/train.tsv", 32), epochs=5)
