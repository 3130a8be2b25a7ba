import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

PATCH = 128

textures = keras.utils.image_dataset_from_directory(
    "data/textures", label_mode=None, image_size=(512, 512), batch_size=None, shuffle=True
)


def random_patch(image):
    patch = tf.image.random_crop(image, [PATCH, PATCH, 3])
    patch = tf.image.random_flip_left_right(patch)
    patch = patch / 255.0
    return patch, patch


train_ds = textures.map(random_patch).batch(32)


class Autoencoder(keras.Model):
    def __init__(self, width=32, latent=64):
        super().__init__()
        self.encoder = keras.Sequential(
            [
                layers.Conv2D(width, 4, strides=2, padding="same", activation="relu"),
                layers.Conv2D(2 * width, 4, strides=2, padding="same", activation="relu"),
                layers.Conv2D(latent, 4, strides=2, padding="same"),
            ]
        )
        self.decoder = keras.Sequential(
            [
                layers.Conv2DTranspose(2 * width, 4, strides=2, padding="same", activation="relu"),
                layers.Conv2DTranspose(width, 4, strides=2, padding="same", activation="relu"),
                layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="sigmoid"),
            ]
        )

    def call(self, inputs):
        return self.decoder(self.encoder(inputs))


autoencoder = Autoencoder()
autoencoder.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mae")
autoencoder.fit(
    train_ds,
    epochs=100,
    callbacks=[keras.callbacks.TensorBoard("logs/textures"), keras.callbacks.TerminateOnNaN()],
)
autoencoder.save_weights("textures/weights")
