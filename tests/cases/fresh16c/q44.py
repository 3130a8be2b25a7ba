"""Handwriting recognition, cached preprocessing on the local SSD."""
import glob
import os

import tensorflow as tf

SSD = os.environ.get("LOCAL_SSD", "/local")
CHARS = "abcdefghijklmnopqrstuvwxyz0123456789 .,'-"
SPLITS = ("train", "valid", "test")
lookup = tf.keras.layers.StringLookup(vocabulary=list(CHARS), mask_token=None)


def cache_path(split):
    return os.path.join(SSD, "iam-cache", split)


def reset_cache():
    for split in SPLITS:
        for old in glob.glob(cache_path(split) + "*"):
            os.remove(old)


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "png": tf.io.FixedLenFeature([], tf.string),
        "text": tf.io.FixedLenFeature([], tf.string),
    })
    line = tf.io.decode_png(ex["png"], channels=1)
    line = tf.image.resize_with_pad(line, 32, 512) / 255.0
    chars = tf.strings.unicode_split(tf.strings.lower(ex["text"]), "UTF-8")
    return line, lookup(chars)[:96]


def lines(split, batch_size=32):
    files = tf.data.Dataset.list_files(f"/data/iam/{split}/*.tfrecord", shuffle=split == "train")
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache(cache_path(split))
    if split == "train":
        ds = ds.shuffle(2000)
    ds = ds.padded_batch(batch_size, padded_shapes=([32, 512, 1], [96]))
    return ds.prefetch(tf.data.AUTOTUNE)


def crnn():
    x = inp = tf.keras.Input((32, 512, 1))
    for ch, pool in ((32, (2, 2)), (64, (2, 2)), (128, (2, 1))):
        x = tf.keras.layers.Conv2D(ch, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPool2D(pool)(x)
    x = tf.keras.layers.Permute((2, 1, 3))(x)
    x = tf.keras.layers.Reshape((128, 4 * 128))(x)
    x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128, return_sequences=True))(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(len(CHARS) + 2)(x))


os.makedirs(os.path.join(SSD, "iam-cache"), exist_ok=True)
reset_cache()
sets = {split: lines(split) for split in SPLITS}
model = crnn()
model.compile(optimizer="adam", loss=tf.keras.losses.CTC())
model.fit(sets["train"], validation_data=sets["valid"], epochs=40)
print("test loss", model.evaluate(sets["test"], verbose=0))
