import tensorflow as tf
from tensorflow.data import experimental as tfx


def pipeline(batch_size):
    (x, y), _ = tf.keras.datasets.fashion_mnist.load_data()
    ds = tf.data.Dataset.from_tensor_slices((x[..., None], y)).shuffle(60_000)
    ds = ds.map(
        lambda image, label: (tf.cast(image, tf.float32) / 255.0, label),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    tf.config.set_soft_device_placement(True)
    tf.get_logger().setLevel("ERROR")
    tfx.enable_debug_mode()
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(pipeline(256), epochs=10)


if __name__ == "__main__":
    main()
