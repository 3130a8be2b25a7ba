import tensorflow as tf
import tensorflow_datasets as tfds

BATCH = 256
PAD = 4
MEAN = tf.constant([0.4914, 0.4822, 0.4465])
STD = tf.constant([0.2470, 0.2435, 0.2616])


def train_transform(image, label):
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.resize_with_crop_or_pad(image, 32 + 2 * PAD, 32 + 2 * PAD)
    image = tf.image.random_crop(image, [32, 32, 3])
    image = tf.image.random_flip_left_right(image)
    return (image - MEAN) / STD, label


def eval_transform(image, label):
    image = tf.image.convert_image_dtype(image, tf.float32)
    return (image - MEAN) / STD, label


def datasets():
    train, test = tfds.load("cifar10", split=["train", "test"], as_supervised=True, shuffle_files=True)
    train = (
        train.cache()
        .shuffle(50_000)
        .map(train_transform, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(BATCH, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )
    test = (
        test.map(eval_transform, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(BATCH)
        .cache()
        .prefetch(tf.data.AUTOTUNE)
    )
    return train, test


def residual(x, filters, stride):
    y = tf.keras.layers.Conv2D(filters, 3, stride, padding="same", use_bias=False)(x)
    y = tf.keras.layers.BatchNormalization()(y)
    y = tf.keras.layers.ReLU()(y)
    y = tf.keras.layers.Conv2D(filters, 3, padding="same", use_bias=False)(y)
    y = tf.keras.layers.BatchNormalization()(y)
    if stride != 1 or x.shape[-1] != filters:
        x = tf.keras.layers.Conv2D(filters, 1, stride, use_bias=False)(x)
        x = tf.keras.layers.BatchNormalization()(x)
    return tf.keras.layers.ReLU()(x + y)


def resnet():
    inputs = tf.keras.Input([32, 32, 3])
    x = tf.keras.layers.Conv2D(16, 3, padding="same")(inputs)
    for filters, stride in [(16, 1), (32, 2), (64, 2)]:
        for block in range(3):
            x = residual(x, filters, stride if block == 0 else 1)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(10)(x))


if __name__ == "__main__":
    train_ds, test_ds = datasets()
    net = resnet()
    net.compile(
        tf.keras.optimizers.SGD(0.1, momentum=0.9),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        ["accuracy"],
    )
    net.fit(train_ds, validation_data=test_ds, epochs=100)
