"""Denoising autoencoder; the generator of the noise is checkpointed, so that a resumed run draws on."""
import pathlib

import tensorflow as tf

ROOT = pathlib.Path("data/micrographs")
CROP = 96
BATCH = 32
STEPS = 20_000

rng = tf.random.Generator.from_seed(2021)


def load_crop(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    image = tf.image.convert_image_dtype(image, tf.float32)
    shape = tf.shape(image)
    top = rng.uniform([], maxval=shape[0] - CROP, dtype=tf.int32)
    left = rng.uniform([], maxval=shape[1] - CROP, dtype=tf.int32)
    return tf.image.crop_to_bounding_box(image, top, left, CROP, CROP)


files = sorted(str(p) for p in ROOT.glob("*.png"))
dataset = tf.data.Dataset.from_tensor_slices(files).repeat()
dataset = dataset.map(load_crop)
dataset = dataset.batch(BATCH, drop_remainder=True)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(48, 3, padding="same", activation="relu", input_shape=[CROP, CROP, 1]),
        tf.keras.layers.Conv2D(48, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(1, 3, padding="same"),
    ]
)
optimizer = tf.keras.optimizers.Adam(1e-3)
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, rng=rng)
manager = tf.train.CheckpointManager(checkpoint, "checkpoints/denoiser", max_to_keep=3)
checkpoint.restore(manager.latest_checkpoint)


@tf.function
def train_step(clean):
    noisy = clean + rng.normal(tf.shape(clean), stddev=0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(model(noisy, training=True) - clean))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for step, batch in enumerate(dataset.take(STEPS)):
    loss = train_step(batch)
    if step % 500 == 0:
        print(step, float(loss), manager.save())
