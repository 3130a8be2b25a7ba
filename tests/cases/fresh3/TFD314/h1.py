import numpy as np
import tensorflow as tf
from PIL import Image, UnidentifiedImageError


def _open(path):
    try:
        with Image.open(path.decode()) as im:
            return np.asarray(im.convert("RGB").resize((200, 200)), np.float32) / 255.0, True
    except (UnidentifiedImageError, OSError):
        return np.zeros((200, 200, 3), np.float32), False


def load(path):
    image, ok = tf.numpy_function(_open, [path], [tf.float32, tf.bool])
    return path, tf.ensure_shape(image, (200, 200, 3)), tf.ensure_shape(ok, ())


paths = tf.data.Dataset.list_files("crawl/*", shuffle=False)
ds = paths.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.filter(lambda path, image, ok: ok)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("tagger.keras")
with open("tags.txt", "w") as out:
    for names, images, _ in ds:
        tags = tf.argmax(model(images, training=False), axis=-1)
        out.writelines(f"{n.decode()} {t}\n" for n, t in zip(names.numpy(), tags.numpy()))
