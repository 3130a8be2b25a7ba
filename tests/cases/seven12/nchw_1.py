import tensorflow as tf
import tensorflow_datasets as tfds

CONFIG = {
    "stages": [64, 128, 256],
    "batch": 256,
    "conv": {"padding": "same", "use_bias": False, "data_format": "channels_first"},
    "pool": {"pool_size": 2, "data_format": "channels_first"},
}


def dataset(split):
    ds = tfds.load("cifar100", split=split, as_supervised=True, shuffle_files=True)
    if split == "train":
        ds = ds.shuffle(50_000)
    ds = ds.batch(CONFIG["batch"])
    ds = ds.map(lambda x, y: (tf.transpose(x, [0, 3, 1, 2]), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def block(x, filters):
    x = tf.keras.layers.Conv2D(filters, 3, **CONFIG["conv"])(x)
    x = tf.keras.layers.BatchNormalization(axis=1)(x)
    x = tf.keras.layers.ReLU()(x)
    return tf.keras.layers.MaxPooling2D(**CONFIG["pool"])(x)


def build():
    inputs = tf.keras.Input((3, 32, 32))
    x = tf.keras.layers.Rescaling(1 / 255.0)(inputs)
    for filters in CONFIG["stages"]:
        x = block(x, filters)
    x = tf.keras.layers.Flatten()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(100, dtype="float32")(x))


def main():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model = build()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(dataset("train"), validation_data=dataset("test"), epochs=30)


if __name__ == "__main__":
    main()
