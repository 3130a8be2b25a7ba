"""Real-estate price model: photo + tabular inputs."""
import numpy as np
import pandas as pd
import tensorflow as tf

NUMERIC = ["sqft", "beds", "baths", "lot", "year", "lat", "lng"]


def photo_stream(paths):
    def read(path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize_with_crop_or_pad(img, 600, 800)
        return tf.image.resize(img, (150, 200))
    ds = tf.data.Dataset.from_tensor_slices(paths)
    return ds.map(read, num_parallel_calls=tf.data.AUTOTUNE).prefetch(64)


def tabular_stream(frame):
    values = frame[NUMERIC].to_numpy(np.float32)
    values = (values - values.mean(0)) / values.std(0)
    return tf.data.Dataset.from_tensor_slices(values).prefetch(64)


def listings(frame):
    inputs = tf.data.Dataset.zip((photo_stream(frame.photo.tolist()), tabular_stream(frame)))
    target = tf.data.Dataset.from_tensor_slices(np.log(frame.price.to_numpy(np.float32)))
    return tf.data.Dataset.zip((inputs, target)).cache("/scratch/listings").shuffle(4096)


def two_tower():
    photo = tf.keras.Input([150, 200, 3])
    tab = tf.keras.Input([len(NUMERIC)])
    p = tf.keras.applications.MobileNetV2(input_shape=(150, 200, 3), include_top=False,
                                          weights=None, pooling="avg")(photo / 127.5 - 1.0)
    t = tf.keras.layers.Dense(64, activation="relu")(tab)
    out = tf.keras.layers.Dense(1)(tf.keras.layers.Concatenate()([p, t]))
    return tf.keras.Model([photo, tab], out)


class MaeInDollars(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch}: about {100 * (np.exp(logs['mae']) - 1):.1f}% off")


def main():
    frame = pd.read_parquet("/data/listings_2023.parquet")  # 410k rows
    model = two_tower()
    model.compile("adam", "mse", metrics=["mae"])
    batches = listings(frame).batch(128, num_parallel_calls=tf.data.AUTOTUNE)
    model.fit(batches, epochs=15, callbacks=[MaeInDollars()])


if __name__ == "__main__":
    main()
