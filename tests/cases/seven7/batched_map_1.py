"""WideResNet-28-10 on CIFAR-100 (Keras)."""
import argparse

import tensorflow as tf
from tensorflow.keras import layers, regularizers

MEAN = tf.constant([0.5071, 0.4865, 0.4409])
STD = tf.constant([0.2673, 0.2564, 0.2762])
AUTO = tf.data.AUTOTUNE

standardise = lambda x, y: (  # noqa: E731
    (tf.cast(x, tf.float32) / 255.0 - MEAN) / STD,
    tf.one_hot(y, 100),
)


def splits():
    (xa, ya), (xb, yb) = tf.keras.datasets.cifar100.load_data()
    return (xa, ya[:, 0]), (xb, yb[:, 0])


def feed(arrays, batch, training):
    ds = tf.data.Dataset.from_tensor_slices(arrays)
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.map(standardise, num_parallel_calls=AUTO)
    ds = ds.batch(batch, drop_remainder=training)
    return ds.prefetch(AUTO)


def conv(f, s=1, k=3):
    return layers.Conv2D(f, k, s, "same", use_bias=False,
                         kernel_initializer="he_normal",
                         kernel_regularizer=regularizers.l2(5e-4))


def wide_block(x, f, s, drop):
    y = layers.ReLU()(layers.BatchNormalization()(x))
    skip = x if s == 1 and x.shape[-1] == f else conv(f, s, 1)(y)
    y = conv(f, s)(y)
    y = layers.ReLU()(layers.BatchNormalization()(y))
    y = conv(f)(layers.Dropout(drop)(y))
    return layers.Add()([skip, y])


def wrn(depth=28, k=10, drop=0.3):
    inp = tf.keras.Input([32, 32, 3])
    x = layers.RandomFlip("horizontal")(inp)
    x = layers.RandomTranslation(0.125, 0.125)(x)
    x = conv(16)(x)
    for stage, f in enumerate((16 * k, 32 * k, 64 * k)):
        for i in range((depth - 4) // 6):
            x = wide_block(x, f, 2 if stage and i == 0 else 1, drop)
    x = layers.ReLU()(layers.BatchNormalization()(x))
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, layers.Dense(100)(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--epochs", type=int, default=200)
    a = ap.parse_args()
    train, test = splits()
    steps = 50_000 // a.batch
    lr = tf.keras.optimizers.schedules.CosineDecay(0.1, steps * a.epochs)
    model = wrn()
    model.compile(tf.keras.optimizers.SGD(lr, momentum=0.9, nesterov=True),
                  tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1),
                  metrics=["accuracy"])
    model.fit(feed(train, a.batch, True), epochs=a.epochs,
              validation_data=feed(test, 500, False))


if __name__ == "__main__":
    main()
