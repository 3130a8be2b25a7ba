"""Plant disease classifier. Seeds derived with stateless_split."""
import pathlib

import tensorflow as tf

ROOT = pathlib.Path("/datasets/plantvillage/train")
CLASSES = sorted(p.name for p in ROOT.iterdir())
KEY = (2024, 5)
AUTO = tf.data.AUTOTUNE


def load(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (256, 256))
    img.set_shape((256, 256, 3))
    return img, label


def jitter(img, label):
    k_flip, k_hue = tf.unstack(tf.random.experimental.stateless_split(KEY, num=2))
    img = tf.image.stateless_random_flip_left_right(img, seed=k_flip)
    img = tf.image.stateless_random_brightness(img, 24.0, seed=k_hue)
    return tf.clip_by_value(img, 0.0, 255.0), label


def training_set(batch_size):
    paths, labels = [], []
    for i, name in enumerate(CLASSES):
        for p in (ROOT / name).glob("*.jpg"):
            paths.append(str(p))
            labels.append(i)
    return (
        tf.data.Dataset.from_tensor_slices((paths, labels))
        .shuffle(len(paths))
        .map(load, num_parallel_calls=AUTO)
        .map(jitter, num_parallel_calls=AUTO)
        .batch(batch_size, drop_remainder=True)
        .prefetch(AUTO)
    )


base = tf.keras.applications.EfficientNetV2B0(include_top=False, pooling="avg", input_shape=(256, 256, 3))
out = tf.keras.layers.Dense(len(CLASSES))(base.output)
net = tf.keras.Model(base.input, out)
net.compile(
    tf.keras.optimizers.Adam(3e-4),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
net.fit(training_set(64), epochs=15)
net.save("plants.keras")
