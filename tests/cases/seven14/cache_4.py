"""Stereo depth: stages are plain functions, the order is the list's."""
import functools
import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def listing(root):
    left = sorted(tf.io.gfile.glob(f"{root}/left/*.png"))
    right = [p.replace("/left/", "/right/") for p in left]
    disp = [p.replace("/left/", "/disp/") for p in left]
    return tf.data.Dataset.from_tensor_slices((left, right, disp))


def _png(path, channels, dtype):
    return tf.io.decode_png(tf.io.read_file(path), channels, dtype)


def _load(l, r, d):
    size = [384, 1248]
    l = tf.image.resize(_png(l, 3, tf.uint8), size, "bicubic", antialias=True)
    r = tf.image.resize(_png(r, 3, tf.uint8), size, "bicubic", antialias=True)
    d = tf.image.resize(_png(d, 1, tf.uint16), size, "nearest")
    return tf.concat([l, r], -1) / 255.0, tf.cast(d, tf.float32) / 256.0


def load_stage(ds):
    return ds.map(_load, num_parallel_calls=AUTO)


def cache_stage(ds):
    return ds.cache()


def shuffle_stage(ds):
    return ds.shuffle(200)


def batch_stage(ds):
    return ds.batch(4)


def prefetch_stage(ds):
    return ds.prefetch(AUTO)


TRAIN_STAGES = [cache_stage, load_stage, shuffle_stage, batch_stage, prefetch_stage]


def assemble(root, stages):
    return functools.reduce(lambda ds, stage: stage(ds), stages, listing(root))


def disparity_net():
    inp = tf.keras.Input((384, 1248, 6))
    x = inp
    for w in (32, 64, 96):
        x = tf.keras.layers.Conv2D(w, 3, strides=2, padding="same", activation="relu")(x)
    for w in (64, 32, 16):
        x = tf.keras.layers.Conv2DTranspose(w, 4, strides=2, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 3, padding="same")(x))


model = disparity_net()
model.compile("adam", "mae")
model.fit(assemble("/data/kitti/train", TRAIN_STAGES), epochs=300)
