import functools

import keras
import tensorflow as tf

BINDINGS = {
    "backbone.widths": (48, 96, 192, 384),
    "backbone.data_format": "channels_first",
    "backbone.classes": 37,
    "pets.side": 192,
    "pets.batch": 64,
}


def configurable(function):
    prefix = function.__name__ + "."
    bound = {k.removeprefix(prefix): v for k, v in BINDINGS.items() if k.startswith(prefix)}
    return functools.partial(function, **bound)


@configurable
def backbone(widths, data_format, classes, side=192):
    shape = (3, side, side) if data_format == "channels_first" else (side, side, 3)
    inputs = x = keras.Input(shape)
    for width in widths:
        x = keras.layers.Conv2D(width, 3, padding="same", activation="relu", data_format=data_format)(x)
        x = keras.layers.MaxPooling2D(2, data_format=data_format)(x)
        x = keras.layers.SpatialDropout2D(0.1, data_format=data_format)(x)
    x = keras.layers.GlobalAveragePooling2D(data_format=data_format)(x)
    return keras.Model(inputs, keras.layers.Dense(classes, activation="softmax", dtype="float32")(x))


@configurable
def pets(pattern, side, batch):
    def parse(record):
        ex = tf.io.parse_single_example(record, {"image": tf.io.FixedLenFeature([], tf.string),
                                                 "breed": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), (side, side))
        return tf.transpose(tf.image.random_flip_left_right(image) / 255.0, (2, 0, 1)), ex["breed"]

    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


keras.mixed_precision.set_global_policy("mixed_float16")
model = backbone()
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(pets("/data/pets/train-*"), epochs=120)
