import tensorflow as tf
import tensorflow_datasets as tfds

BATCH, EPOCHS = 32, 10


def standardize(image, label):
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.per_image_standardization(image)
    return image, label


def dogs(split, training):
    ds, info = tfds.load(
        "stanford_dogs",
        split=split,
        as_supervised=True,
        shuffle_files=training,
        with_info=True,
    )
    if training:
        ds = ds.shuffle(2000)
    ds = ds.map(standardize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(BATCH)
    return ds.prefetch(tf.data.AUTOTUNE), info.features["label"].num_classes


def fully_conv(classes):
    inp = tf.keras.Input((None, None, 3))
    x = inp
    for w in (32, 64, 128):
        x = tf.keras.layers.Conv2D(w, 3, strides=2, activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes)(x))


if __name__ == "__main__":
    train, classes = dogs("train", True)
    test, _ = dogs("test", False)
    model = fully_conv(classes)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, validation_data=test, epochs=EPOCHS)
