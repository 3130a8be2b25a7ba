import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--debug-input", action="store_true")
parser.add_argument("--epochs", type=int, default=3)
args = parser.parse_args()

if args.debug_input:
    tf.data.experimental.enable_debug_mode()

(x_train, y_train), _ = tf.keras.datasets.cifar10.load_data()


def prepare(image, label):
    image = tf.cast(image, tf.float32) / 255.0
    return tf.image.per_image_standardization(image), label


train = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train = train.shuffle(50_000)
train = train.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(128).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=args.epochs)
