import contextlib

import tensorflow as tf
from tqdm import tqdm


@contextlib.contextmanager
def annotated(step):
    with tf.profiler.experimental.Trace("reconstruct", step_num=step, _r=1):
        yield


def read_face(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (128, 128)) / 127.5 - 1.0


faces = (
    tf.data.Dataset.list_files("/data/celeba/*.jpg")
    .map(read_face, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(64, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)

encoder = tf.keras.Sequential([tf.keras.layers.Conv2D(64, 4, 2, "same", activation="relu"), tf.keras.layers.Conv2D(8, 4, 2, "same")])
decoder = tf.keras.Sequential([tf.keras.layers.Conv2DTranspose(64, 4, 2, "same", activation="relu"), tf.keras.layers.Conv2DTranspose(3, 4, 2, "same")])
opt = tf.keras.optimizers.Adam(2e-4)


@tf.function
def reconstruct(images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(decoder(encoder(images)) - images))
    variables = encoder.trainable_variables + decoder.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


step = 0
for epoch in range(20):
    for images in tqdm(faces, desc=f"epoch {epoch}"):
        with annotated(step):
            reconstruct(images)
        step += 1
