import pathlib

import tensorflow as tf

net = tf.keras.models.load_model("fully_convolutional_denoiser.keras")
pages = sorted(str(p) for p in pathlib.Path("scans").glob("*.png"))


def load(path):
    page = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return path, tf.image.convert_image_dtype(page, tf.float32)


ds = tf.data.Dataset.from_tensor_slices(pages)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

for path, page in ds:
    height, width = page.shape[:2]
    clean = net(page[tf.newaxis], training=False)[0, :height, :width]
    out = path.numpy().decode().replace("scans/", "clean/")
    tf.io.write_file(out, tf.io.encode_png(tf.image.convert_image_dtype(clean, tf.uint8, saturate=True)))
