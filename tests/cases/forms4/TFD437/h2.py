import numpy as np
import tensorflow as tf


def read_volume(path):
    return np.load(path.decode()).astype("float32")


def load(path):
    volume = tf.numpy_function(read_volume, [path], tf.float32)
    return tf.ensure_shape(volume, [64, 64, 32])


def volumes(pattern, batch_size=2):
    ds = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda volume: volume[..., tf.newaxis], num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.models.load_model("lungs.keras")
    for index, scores in enumerate(model.predict(volumes("ct/*.npy"))):
        print(index, scores.max())


if __name__ == "__main__":
    main()
