import tensorflow as tf

from model import Denoiser


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


ds = tf.data.Dataset.list_files("/data/xray/*.png")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(tf.data.AUTOTUNE)
denoiser = Denoiser(1e-3)
for epoch in range(20):
    for images in ds:
        loss = denoiser.update(images)
    print(epoch, float(loss))
