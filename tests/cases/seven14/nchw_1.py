"""Config-driven residual net in mixed precision."""
import tensorflow as tf

CONFIG = {
    "precision": "mixed_float16",
    "model": {"stem": 64, "widths": [64, 128, 256], "classes": 200,
              "data_format": "channels_first"},
    "data": {"root": "/data/tiny-imagenet/train", "batch": 256},
    "epochs": 60,
}


def conv_bn(x, width, stride, fmt):
    x = tf.keras.layers.Conv2D(width, 3, strides=stride, padding="same",
                               use_bias=False, data_format=fmt)(x)
    x = tf.keras.layers.BatchNormalization(axis=1 if fmt == "channels_first" else -1)(x)
    return tf.keras.layers.ReLU()(x)


def block(x, width, stride, fmt):
    short = tf.keras.layers.Conv2D(width, 1, strides=stride, data_format=fmt)(x)
    x = conv_bn(conv_bn(x, width, stride, fmt), width, 1, fmt)
    return tf.keras.layers.Add()([x, short])


def build(stem, widths, classes, data_format):
    inp = tf.keras.Input((3, 64, 64) if data_format == "channels_first" else (64, 64, 3))
    x = conv_bn(inp, stem, 1, data_format)
    for w in widths:
        x = block(x, w, 2, data_format)
    x = tf.keras.layers.GlobalAveragePooling2D(data_format=data_format)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes, dtype="float32")(x))


def data(root, batch, data_format):
    ds = tf.keras.utils.image_dataset_from_directory(root, image_size=(64, 64), batch_size=batch)
    ds = ds.cache("/scratch/tiny")

    def prepare(x, y):
        x = tf.image.random_flip_left_right(x) / 255.0
        if data_format == "channels_first":
            x = tf.transpose(x, [0, 3, 1, 2])
        return x, y
    return ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(cfg):
    tf.keras.mixed_precision.set_global_policy(cfg["precision"])
    model = build(**cfg["model"])
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data(data_format=cfg["model"]["data_format"], **cfg["data"]), epochs=cfg["epochs"])


if __name__ == "__main__":
    main(CONFIG)
