import tensorflow as tf


def maybe_rotate(tensor):
    turns = tf.random.uniform([], 0, 4, dtype=tf.int32)
    return tf.image.rot90(tensor, turns)


def augment(photo, regions):
    return maybe_rotate(photo), maybe_rotate(regions)


def decode(photo_file, region_file):
    photo = tf.io.decode_png(tf.io.read_file(photo_file), channels=3)
    regions = tf.io.decode_png(tf.io.read_file(region_file), channels=1)
    return tf.image.convert_image_dtype(photo, tf.float32), regions


def tiles(list_file):
    names = tf.data.TextLineDataset(list_file).shuffle(5000)
    names = names.map(
        lambda name: ("sat/" + name + ".png", "land/" + name + ".png"),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    ds = names.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(
        lambda p, r: (tf.ensure_shape(p, (512, 512, 3)), tf.ensure_shape(r, (512, 512, 1))),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return ds.batch(4).prefetch(tf.data.AUTOTUNE)


segmenter = tf.keras.models.load_model("landcover.keras")
segmenter.fit(tiles("train.txt"), epochs=60)
