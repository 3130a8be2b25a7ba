import os

import tensorflow as tf

SIZE = 256
TRAIN_DIR = "kitti/image_2"


def path_to_label(path):
    name = tf.strings.split(path, os.sep)[-1]
    return tf.strings.to_number(tf.strings.split(name, "_")[0], tf.int32)


def path_to_image(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (SIZE, SIZE)) / 255.0


files = tf.data.Dataset.list_files(os.path.join(TRAIN_DIR, "*.png"))

images = files.map(path_to_image, num_parallel_calls=tf.data.AUTOTUNE)
labels = files.map(path_to_label, num_parallel_calls=tf.data.AUTOTUNE)
dataset = tf.data.Dataset.zip((images, labels))
dataset = dataset.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.applications.EfficientNetB0(include_top=False, weights=None, pooling="avg",
                                         input_shape=(SIZE, SIZE, 3)),
    tf.keras.layers.Dense(8),
])
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(dataset, epochs=40)
