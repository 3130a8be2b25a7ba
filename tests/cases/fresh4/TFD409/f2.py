import tensorflow as tf


def held_out(batch_size=50):
    _, (x, y) = tf.keras.datasets.cifar10.load_data()
    ds = tf.data.Dataset.from_tensor_slices((x, y[:, 0]))
    ds = ds.shuffle(10_000)
    ds = ds.map(
        lambda image, label: (tf.cast(image, tf.float32) / 255.0, label),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def confusion(model, classes=10):
    truth = tf.concat([labels for _, labels in held_out()], axis=0)
    guesses = tf.concat(
        [tf.argmax(model(images, training=False), axis=-1) for images, _ in held_out()], axis=0
    )
    return tf.math.confusion_matrix(truth, guesses, num_classes=classes)


if __name__ == "__main__":
    print(confusion(tf.keras.models.load_model("cifar.keras")).numpy())
