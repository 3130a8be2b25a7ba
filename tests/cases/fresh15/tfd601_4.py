import glob

import tensorflow as tf

RECORD = 1 + 3 * 32 * 32


def parse(raw):
    data = tf.io.decode_raw(raw, tf.uint8)
    label = tf.cast(data[0], tf.int32)
    planes = tf.reshape(data[1:], [3, 32, 32])
    image = tf.transpose(planes, [1, 2, 0])
    return tf.cast(image, tf.float32) / 255.0, label


def augment(image, label):
    image = tf.pad(image, [[4, 4], [4, 4], [0, 0]])
    image = tf.image.random_crop(image, (32, 32, 3))
    return tf.image.random_flip_left_right(image), label


def cifar(files, training):
    ds = tf.data.FixedLengthRecordDataset(
        files, RECORD, num_parallel_reads=tf.data.AUTOTUNE
    )
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(128).prefetch(tf.data.AUTOTUNE)


def model_fn():
    layers = tf.keras.layers
    model = tf.keras.Sequential([tf.keras.Input((32, 32, 3))])
    for width in (64, 128, 256):
        model.add(layers.Conv2D(width, 3, padding="same", use_bias=False))
        model.add(layers.BatchNormalization())
        model.add(layers.ReLU())
        model.add(layers.MaxPooling2D())
    model.add(layers.GlobalAveragePooling2D())
    model.add(layers.Dense(10))
    return model


if __name__ == "__main__":
    train = sorted(glob.glob("/data/cifar-10-batches-bin/data_batch_*.bin"))
    test = ["/data/cifar-10-batches-bin/test_batch.bin"]
    model = model_fn()
    model.compile(
        optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(cifar(train, True), validation_data=cifar(test, False), epochs=60)
