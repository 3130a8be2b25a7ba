"""Fine-tune a product classifier on images that sit behind a CDN."""
import json

import requests
import tensorflow as tf

CATALOG = "/etc/shop/catalog.json"
SIDE = 224
session = requests.Session()


def download(url):
    reply = session.get(url.numpy().decode(), timeout=20)
    reply.raise_for_status()
    return reply.content


def fetch(url, label):
    body = tf.py_function(download, [url], tf.string)
    body.set_shape(())
    return body, label


def decode(body, label):
    img = tf.io.decode_image(body, channels=3, expand_animations=False)
    img = tf.image.resize(img, (SIDE, SIDE))
    return tf.keras.applications.mobilenet_v2.preprocess_input(img), label


def load(split):
    with open(CATALOG) as fh:
        rows = [r for r in json.load(fh) if r["split"] == split]
    urls = [r["image_url"] for r in rows]
    labels = [r["category"] for r in rows]
    ds = tf.data.Dataset.from_tensor_slices((urls, labels))
    if split == "train":
        ds = ds.shuffle(len(urls))
    ds = ds.map(fetch, num_parallel_calls=tf.data.AUTOTUNE, deterministic=split != "train")
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


base = tf.keras.applications.MobileNetV2(include_top=False, pooling="avg", input_shape=(SIDE, SIDE, 3))
base.trainable = False
model = tf.keras.Sequential([base, tf.keras.layers.Dropout(0.2), tf.keras.layers.Dense(120)])
model.compile(
    optimizer=tf.keras.optimizers.Adam(3e-4),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(load("train"), validation_data=load("val"), epochs=1)
