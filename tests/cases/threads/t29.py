import numpy as np
import tensorflow as tf


def random_flip(lr_img, hr_img):
    rn = tf.random.uniform(shape=(), maxval=1)
    return tf.cond(rn < 0.5,
                   lambda: (lr_img, hr_img),
                   lambda: (tf.image.flip_left_right(lr_img), tf.image.flip_left_right(hr_img)))


def random_rotate(lr_img, hr_img):
    rn = tf.random.uniform(shape=(), maxval=4, dtype=tf.int32)
    return tf.image.rot90(lr_img, rn), tf.image.rot90(hr_img, rn)


class Trainer(object):
    def __init__(self, model, loss, learning_rate=5e-4):
        self.model = model
        self.model.compile(optimizer=tf.keras.optimizers.Nadam(learning_rate), loss=loss)

    def fit(self, x, y, batch_size=32, buffer_size=1000, epochs=50, validation_data=None, data_aug=False):
        train_ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(buffer_size)
        if data_aug:
            train_ds.map(random_rotate, num_parallel_calls=tf.data.AUTOTUNE)
            train_ds.map(random_flip, num_parallel_calls=tf.data.AUTOTUNE)
        train_ds = train_ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)

        val_ds = None
        if validation_data is not None:
            val_ds = tf.data.Dataset.from_tensor_slices(validation_data).batch(batch_size)
        return self.model.fit(train_ds, validation_data=val_ds, epochs=epochs)


if __name__ == "__main__":
    X, y = np.load("probav/X_NIR_train.npy"), np.load("probav/y_NIR_train.npy")
    X_val, y_val = np.load("probav/X_NIR_val.npy"), np.load("probav/y_NIR_val.npy")
    net = tf.keras.Sequential([
        tf.keras.layers.Input((None, None, 9)),
        tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2DTranspose(1, 3, strides=3, padding="same"),
    ])
    Trainer(net, "mae").fit(X, y, validation_data=(X_val, y_val), data_aug=True)
