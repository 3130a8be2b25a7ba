import tensorflow as tf
import tensorflow_datasets as tfds

GLOBAL_BATCH = 512
STEPS = 98
EPOCHS = 60


def standardize(example):
    image = tf.cast(example["image"], tf.float32) / 127.5 - 1.0
    return image, example["label"]


def input_fn():
    ds, info = tfds.load("cifar10", split="train", with_info=True, shuffle_files=True)
    ds = ds.map(standardize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.repeat().cache()
    ds = ds.shuffle(info.splits["train"].num_examples)
    return ds.batch(GLOBAL_BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def block(x, width):
    y = tf.keras.layers.Conv2D(width, 3, padding="same", use_bias=False)(x)
    y = tf.keras.layers.BatchNormalization()(y)
    y = tf.keras.layers.ReLU()(y)
    return tf.keras.layers.MaxPooling2D()(y)


def build():
    inp = tf.keras.Input((32, 32, 3))
    x = inp
    for w in (64, 128, 256):
        x = block(x, w)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(10)(x))


model = build()
model.compile(
    tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    ["accuracy"],
)
model.fit(input_fn(), steps_per_epoch=STEPS, epochs=EPOCHS)
