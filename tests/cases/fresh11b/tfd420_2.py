from functools import partial

import tensorflow as tf

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "caption": tf.io.FixedLenFeature([32], tf.int64),
}


def parse(record, to_pixels):
    ex = tf.io.parse_single_example(record, FEATURES)
    return to_pixels(ex["image/encoded"]), ex["caption"]


def pixels(raw, size, training):
    img = tf.image.decode_image(raw, 3, dtype=tf.float32)
    if training:
        img = tf.image.random_flip_left_right(img)
    return tf.image.resize(img, (size, size))


def input_fn(pattern, batch_size, training=True):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(4096)
    fn = partial(parse, to_pixels=partial(pixels, size=256, training=training))
    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    image = tf.keras.Input((256, 256, 3))
    h = tf.keras.layers.Conv2D(64, 7, strides=4, activation="relu")(image)
    h = tf.keras.layers.GlobalAveragePooling2D()(h)
    h = tf.keras.layers.RepeatVector(32)(h)
    out = tf.keras.layers.Dense(8000)(tf.keras.layers.GRU(256, return_sequences=True)(h))
    model = tf.keras.Model(image, out)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(input_fn("/data/coco/train-*", 32), epochs=5)


if __name__ == "__main__":
    main()
