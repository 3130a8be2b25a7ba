import keras
import tensorflow as tf
import tensorflow_datasets as tfds

ARGS = dict(classes=102, widths=(64, 128, 256, 512), data_format="channels_last")


def classifier(side, classes, widths, data_format="channels_first"):
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError(f"{data_format=}")
    first = data_format == "channels_first"
    inputs = x = keras.Input((3, side, side) if first else (side, side, 3))
    for width in widths:
        x = keras.layers.Conv2D(width, 3, padding="same", activation="relu", data_format=data_format)(x)
        x = keras.layers.BatchNormalization(axis=1 if first else -1)(x)
        x = keras.layers.MaxPooling2D(data_format=data_format)(x)
    x = keras.layers.GlobalAveragePooling2D(data_format=data_format)(x)
    return keras.Model(inputs, keras.layers.Dense(classes, dtype="float32")(x))


def flowers(split, side, batch):
    def resize(ex):
        return tf.image.resize(ex["image"], (side, side)), ex["label"]

    def unit(images, labels):
        return images / 255.0, labels

    ds = tfds.load("oxford_flowers102", split=split, shuffle_files=True).shuffle(1000)
    ds = ds.map(resize, num_parallel_calls=tf.data.AUTOTUNE).batch(batch)
    return ds.map(unit, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


keras.mixed_precision.set_global_policy("mixed_float16")
for side in (96, 160, 224):
    model = classifier(side, **ARGS)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(flowers("test", side, 64), validation_data=flowers("validation", side, 64), epochs=50)
    model.save(f"flowers-{side}.keras")
