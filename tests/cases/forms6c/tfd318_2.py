import tensorflow as tf
from tensorflow import data as tfd


def parse_scene(serialized):
    parsed = tf.io.parse_single_example(serialized, {
        "rgb": tf.io.FixedLenFeature([], tf.string),
        "depth": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string),
    })
    return {
        "rgb": tf.ensure_shape(tf.io.decode_png(parsed["rgb"], channels=3), [480, 640, 3]),
        "depth": tf.io.decode_png(parsed["depth"], channels=1, dtype=tf.uint16),
        "mask": tf.ensure_shape(tf.io.decode_png(parsed["mask"], channels=1), [480, 640, 1]),
    }


def select(image_key, target_key):
    def pick(scene):
        image = tf.cast(scene[image_key], tf.float32) / 255.0
        return image, tf.cast(scene[target_key], tf.int32)

    return pick


def make_dataset(pattern, batch_size, training):
    ds = tfd.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tfd.TFRecordDataset, num_parallel_calls=tfd.AUTOTUNE,
                       deterministic=not training)
    if training:
        ds = ds.shuffle(2000)
    ds = ds.map(parse_scene, num_parallel_calls=tfd.AUTOTUNE)
    ds = ds.map(select("rgb", "mask"), num_parallel_calls=tfd.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=training).prefetch(tfd.AUTOTUNE)


def main():
    inputs = tf.keras.Input((480, 640, 3))
    x = tf.keras.layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2DTranspose(41, 4, strides=2, padding="same")(x)
    model = tf.keras.Model(inputs, x)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(make_dataset("/data/nyu/train-*", 16, True),
              validation_data=make_dataset("/data/nyu/val-*", 16, False), epochs=60)


if __name__ == "__main__":
    main()
