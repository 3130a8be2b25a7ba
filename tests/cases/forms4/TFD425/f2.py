import tensorflow as tf

BATCH_SIZE = 128


def load_fashion():
    (x, y), _ = tf.keras.datasets.fashion_mnist.load_data()
    ds = tf.data.Dataset.from_tensor_slices((x.reshape(-1, 784), y))
    ds = ds.shuffle(len(x))
    ds = ds.map(
        lambda image, label: (tf.cast(image, tf.float32) / 255.0, label),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return ds.batch(BATCH_SIZE)


def build():
    model = tf.keras.Sequential([
        tf.keras.Input((784,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    return model


def main():
    data = load_fashion()
    data = data.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)
    build().fit(data, epochs=8)


if __name__ == "__main__":
    main()
