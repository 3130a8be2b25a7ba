import os

import tensorflow as tf

IMG = (180, 180)
DATA_DIR = os.environ.get("FLOWERS", "flower_photos")


def decode_img(raw):
    img = tf.io.decode_jpeg(raw, channels=3)
    img = tf.image.resize(img, IMG)
    return tf.image.convert_image_dtype(img, tf.float32)


def process_path(path, label):
    return decode_img(tf.io.read_file(path)), label


def configure(ds, training):
    ds = ds.map(process_path, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    if training:
        ds = ds.shuffle(3000)
    return ds.batch(32).prefetch(tf.data.AUTOTUNE)


def list_files():
    classes = sorted(d for d in os.listdir(DATA_DIR) if os.path.isdir(os.path.join(DATA_DIR, d)))
    paths, labels = [], []
    for label, name in enumerate(classes):
        for file in sorted(os.listdir(os.path.join(DATA_DIR, name))):
            paths.append(os.path.join(DATA_DIR, name, file))
            labels.append(label)
    return paths, labels, classes


def main():
    paths, labels, classes = list_files()
    everything = tf.data.Dataset.from_tensor_slices((paths, labels))
    everything = everything.shuffle(len(paths), seed=1, reshuffle_each_iteration=False)
    val_size = len(paths) // 5
    train_ds = configure(everything.skip(val_size), training=True)
    val_ds = configure(everything.take(val_size), training=False)

    model = tf.keras.Sequential(
        [
            tf.keras.Input([*IMG, 3]),
            tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(128, activation="relu"),
            tf.keras.layers.Dense(len(classes)),
        ]
    )
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train_ds, validation_data=val_ds, epochs=10)


if __name__ == "__main__":
    main()
