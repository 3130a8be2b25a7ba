import glob
import os

import tensorflow as tf

BATCH_SIZE = 32
HEIGHT, WIDTH = 420, 540
ROOT = "denoising-dirty-documents"


def load_pair(noisy_path, clean_path):
    def read(path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=1)
        image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, (HEIGHT, WIDTH))
        image.set_shape((HEIGHT, WIDTH, 1))
        return image
    return read(noisy_path), read(clean_path)


def make_dataset(noisy, clean, training):
    ds = tf.data.Dataset.from_tensor_slices((noisy, clean))
    if training:
        ds = ds.shuffle(len(noisy)).repeat()
    ds = ds.map(load_pair, num_parallel_calls=tf.data.experimental.AUTOTUNE)
    return ds.batch(BATCH_SIZE).prefetch(tf.data.experimental.AUTOTUNE)


def autoencoder():
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Conv2D(64, 3, padding="same", activation="relu", input_shape=(HEIGHT, WIDTH, 1)),
        layers.MaxPooling2D(2),
        layers.Conv2D(64, 3, padding="same", activation="relu"),
        layers.UpSampling2D(2),
        layers.Conv2D(1, 3, padding="same", activation="sigmoid"),
    ])


noisy = sorted(glob.glob(os.path.join(ROOT, "train", "*.png")))[:144]
clean = sorted(glob.glob(os.path.join(ROOT, "train_cleaned", "*.png")))[:144]
assert len(noisy) == len(clean) == 144

train_noisy, train_clean = noisy[:120], clean[:120]
valid_noisy, valid_clean = noisy[120:], clean[120:]  # 24 pages

train_dataset = make_dataset(train_noisy, train_clean, training=True)
valid_dataset = make_dataset(valid_noisy, valid_clean, training=False)

VALIDATION_STEPS = 24 // BATCH_SIZE

model = autoencoder()
model.compile("adam", "mse")
model.fit(
    train_dataset,
    steps_per_epoch=120 // BATCH_SIZE,
    epochs=200,
    validation_data=valid_dataset,
    validation_steps=VALIDATION_STEPS,
)
model.save("denoise.h5")
