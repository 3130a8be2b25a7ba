from functools import partial, reduce

from absl import app, flags
import tensorflow as tf
from tensorflow import data as tfd

flags.DEFINE_string("tiles", "/data/sat/tiles/*.png", "Images, 512 x 512.")
flags.DEFINE_string("masks", "/data/sat/masks", "Folder of the masks.")
flags.DEFINE_integer("shuffle", 4_000, "Size of the shuffle buffer.")
flags.DEFINE_integer("batch_size", 16, "Batch size.")
FLAGS = flags.FLAGS


def compose(*stages):
    return lambda ds: reduce(lambda d, stage: stage(d), stages, ds)


def mapped(fn):
    return partial(tfd.Dataset.map, map_func=fn, num_parallel_calls=tfd.AUTOTUNE)


def load(tile):
    name = tf.strings.split(tile, "/")[-1]
    mask = tf.strings.join([FLAGS.masks, name], separator="/")
    image = tf.io.decode_png(tf.io.read_file(tile), channels=3)
    label = tf.io.decode_png(tf.io.read_file(mask), channels=1)
    return tf.ensure_shape(image, [512, 512, 3]), tf.ensure_shape(label, [512, 512, 1])


def flip(image, label):
    both = tf.image.random_flip_left_right(tf.concat([image, label], axis=-1))
    return tf.image.convert_image_dtype(both[..., :3], tf.float32), both[..., 3:]


def main(_):
    pipeline = compose(
        mapped(load),
        lambda ds: ds.shuffle(FLAGS.shuffle),
        mapped(flip),
        lambda ds: ds.batch(FLAGS.batch_size),
        lambda ds: ds.prefetch(tfd.AUTOTUNE),
    )
    train = pipeline(tfd.Dataset.list_files(FLAGS.tiles))

    inputs = tf.keras.Input([512, 512, 3])
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Conv2D(9, 1)(x))
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=60)


if __name__ == "__main__":
    app.run(main)
