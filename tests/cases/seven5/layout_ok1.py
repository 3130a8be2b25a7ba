"""CIFAR-10 from its binary files (planes of red, green, blue)."""
import tensorflow as tf
import keras
from keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")
RECORD = 1 + 3 * 32 * 32


def decode(record):
    data = tf.io.decode_raw(record, tf.uint8)
    label = tf.cast(data[0], tf.int32)
    planes = tf.reshape(data[1:], (3, 32, 32))
    image = tf.transpose(planes, (1, 2, 0))
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_crop(tf.pad(image, [[4, 4], [4, 4], [0, 0]]), (32, 32, 3))
    return tf.cast(image, tf.float32) / 255.0, label


def dataset(names, batch_size):
    ds = tf.data.FixedLengthRecordDataset(names, RECORD, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.cache().shuffle(50_000)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build(data_format="channels_last"):
    axis = 1 if data_format == "channels_first" else -1
    model = keras.Sequential([keras.Input((32, 32, 3))])
    for width in (64, 128, 256):
        model.add(layers.Conv2D(width, 3, padding="same", use_bias=False, data_format=data_format))
        model.add(layers.BatchNormalization(axis=axis))
        model.add(layers.ReLU())
        model.add(layers.MaxPooling2D(data_format=data_format))
    model.add(layers.GlobalAveragePooling2D(data_format=data_format))
    model.add(layers.Dense(10, dtype="float32"))
    return model


def main():
    names = [f"/data/cifar-10-batches-bin/data_batch_{i}.bin" for i in range(1, 6)]
    model = build()
    model.compile(
        keras.optimizers.SGD(0.1, momentum=0.9),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        ["accuracy"],
    )
    model.fit(dataset(names, 256), epochs=100)


if __name__ == "__main__":
    main()
