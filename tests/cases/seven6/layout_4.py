import numpy as np
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import (Activation, AveragePooling2D, BatchNormalization, Conv2D,
                                     Dense, GlobalAveragePooling2D, Input, concatenate)

DF = "channels_first"


def read(prefix):
    x = np.load(f"{prefix}_x.npy")                  # uint8 (N, 96, 96, 3), PatchCamelyon
    y = np.load(f"{prefix}_y.npy").astype("float32")
    return np.ascontiguousarray(np.transpose(x, (0, 3, 1, 2))), y


def pipeline(x, y, batch, training):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.batch(batch, drop_remainder=training)
    ds = ds.map(lambda a, b: (tf.cast(a, tf.float32) / 255.0, b),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def dense_block(x, layers, growth):
    for _ in range(layers):
        y = Activation("relu")(BatchNormalization(axis=1)(x))
        y = Conv2D(growth, 3, padding="same", use_bias=False, data_format=DF)(y)
        x = concatenate([x, y], axis=1)
    return x


def densenet():
    inp = Input((3, 96, 96))
    x = Conv2D(32, 3, padding="same", use_bias=False, data_format=DF)(inp)
    for i in range(4):
        x = dense_block(x, 6, 24)
        x = BatchNormalization(axis=1)(x)
        x = Conv2D(64 * (i + 1), 1, use_bias=False, data_format=DF)(x)
        x = AveragePooling2D(2, data_format=DF)(x)
    x = GlobalAveragePooling2D(data_format=DF)(x)
    return Model(inp, Dense(1, activation="sigmoid", dtype="float32")(x))


if __name__ == "__main__":
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        net = densenet()
        net.compile("adam", "binary_crossentropy", metrics=["AUC"])
    net.fit(pipeline(*read("/data/pcam/train"), 512, True),
            validation_data=pipeline(*read("/data/pcam/valid"), 512, False),
            epochs=30)
    net.save("pcam.keras")
