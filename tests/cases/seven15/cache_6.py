# Iceberg / ship classification, radar tiles
import tensorflow as tf

OPT = {
    "records": ["/radar/train-%02d.tfrecord" % i for i in range(20)],
    "hold": "memory",
    "batch": 64,
    "window": 6000,
    "side": 75,
}


def keep(ds, how):
    holders = {
        "memory": lambda d: d.cache(),
        "disk": lambda d: d.cache("/scratch/radar.cache"),
        "none": lambda d: d,
    }
    return holders[how](ds)


def decode_tile(record):
    ex = tf.io.parse_single_example(record, {
        "hh": tf.io.FixedLenFeature([], tf.string),
        "hv": tf.io.FixedLenFeature([], tf.string),
        "ship": tf.io.FixedLenFeature([], tf.int64),
    })
    bands = [tf.io.decode_png(ex[k], channels=1, dtype=tf.uint16) for k in ("hh", "hv")]
    tile = tf.cast(tf.concat(bands, axis=-1), tf.float32)
    tile = tf.image.resize(tile, [OPT["side"] * 2] * 2, method="gaussian", antialias=True)
    spectrum = tf.signal.fft2d(tf.cast(tf.transpose(tile, [2, 0, 1]), tf.complex64))
    power = tf.transpose(tf.math.log1p(tf.abs(spectrum)), [1, 2, 0])
    return tf.concat([tile, power], -1), ex["ship"]


def load(opt):
    names = tf.data.Dataset.from_tensor_slices(opt["records"]).shuffle(len(opt["records"]))
    raw = names.interleave(tf.data.TFRecordDataset, cycle_length=5, num_parallel_calls=tf.data.AUTOTUNE)
    held = keep(raw, opt["hold"])
    tiles = held.shuffle(opt["window"]).map(decode_tile, num_parallel_calls=tf.data.AUTOTUNE)
    return tiles.batch(opt["batch"]).prefetch(tf.data.AUTOTUNE)


train = load(OPT)
net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPool2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalMaxPool2D(),
    tf.keras.layers.Dense(1),
])
net.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
for round_ in range(5):
    net.fit(train, epochs=10, verbose=2)
    net.save_weights(f"/tmp/ship_{round_}.weights.h5")
