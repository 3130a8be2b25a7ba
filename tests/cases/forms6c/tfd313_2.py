import tensorflow as tf
from tensorflow import data as tfd

CONFIG = {
    "size": (512, 512),
    "batch_size": 32,
    "augment": ["flip_lr", "flip_ud"],
}
AUGMENTATIONS = {
    "flip_lr": tf.image.random_flip_left_right,
    "flip_ud": tf.image.random_flip_up_down,
}


def load_image(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image.set_shape((*CONFIG["size"], 3))
    return tf.image.convert_image_dtype(image, tf.float32)


def augment(image, label):
    for name in CONFIG["augment"]:
        image = AUGMENTATIONS[name](image)
    return image, label


def make_train_set(paths, labels):
    ds = tfd.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(lambda p, y: (load_image(p), y), num_parallel_calls=tfd.AUTOTUNE)
    ds = ds.map(augment, num_parallel_calls=tfd.AUTOTUNE)
    return ds.batch(CONFIG["batch_size"], drop_remainder=True).prefetch(tfd.AUTOTUNE)


def main(paths, labels):
    model = tf.keras.Sequential([
        tf.keras.Input((512, 512, 3)),
        tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(make_train_set(paths, labels), epochs=15)
