import tensorflow as tf


def reviews(folder, batch_size):
    ds = tf.keras.utils.text_dataset_from_directory(
        folder,
        batch_size=batch_size,
        label_mode="int",
        max_length=2000,
    )
    return ds.prefetch(tf.data.AUTOTUNE)
