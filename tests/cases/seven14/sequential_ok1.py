"""Land cover segmentation with a keyword dict shared by all stages."""
import tensorflow as tf

PARALLEL = dict(num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
SPEC = {"bands": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string)}


def parse(raw):
    ex = tf.io.parse_single_example(raw, SPEC)
    x = tf.io.parse_tensor(ex["bands"], tf.uint16)
    y = tf.io.decode_png(ex["mask"], channels=1)
    x = tf.image.resize(tf.ensure_shape(x, [None, None, 6]), [512, 512])
    y = tf.image.resize(y, [512, 512], method="nearest")
    return x, y


def jitter(x, y):
    x = x + tf.random.normal(tf.shape(x), stddev=20.0)
    k = tf.random.uniform([], 0, 4, tf.int32)
    return tf.image.rot90(x, k), tf.image.rot90(y, k)


STAGES = {"train": [jitter], "valid": []}


def landcover(split, batch):
    files = tf.data.Dataset.list_files(f"/data/s2/{split}/*.tfrecord", shuffle=split == "train")
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, **PARALLEL)
    ds = ds.map(parse, **PARALLEL).cache(f"/nvme/s2-{split}")
    if split == "train":
        ds = ds.shuffle(512)
    ds = ds.batch(batch)
    for fn in STAGES[split]:
        ds = ds.map(fn, **PARALLEL)
    return ds.prefetch(tf.data.AUTOTUNE)


def fcn(classes):
    inp = tf.keras.Input((512, 512, 6))
    x = tf.keras.layers.Rescaling(1 / 10000.0)(inp)
    for w in (32, 64, 128):
        x = tf.keras.layers.Conv2D(w, 3, strides=2, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2D(classes, 1)(x)
    return tf.keras.Model(inp, tf.keras.layers.UpSampling2D(8, interpolation="bilinear")(x))


model = fcn(11)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(landcover("train", 16), validation_data=landcover("valid", 16), epochs=60)
