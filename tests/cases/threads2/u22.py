import os
import pathlib

import tensorflow as tf

flowers_root = pathlib.Path(tf.keras.utils.get_file(
    "flower_photos",
    "https://storage.googleapis.com/download.tensorflow.org/example_images/flower_photos.tgz",
    untar=True))

CLASS_NAMES = tf.constant(sorted(p.name for p in flowers_root.iterdir() if p.is_dir()))
NUM_FILES = 3670

list_ds = tf.data.Dataset.list_files(str(flowers_root / "*/*"))
for file_path in list_ds.take(1):
    print("first file:", file_path.numpy())


def label_of(path):
    parts = tf.strings.split(path, os.sep)
    return tf.argmax(tf.cast(parts[-2] == CLASS_NAMES, tf.int32))


# Reads an image from a file, decodes it into a dense tensor, and resizes it
# to a fixed shape.
def parse_image(filename):
    label = label_of(file_path)

    image = tf.io.read_file(filename)
    image = tf.io.decode_jpeg(image, channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.image.resize(image, [128, 128])
    image.set_shape((128, 128, 3))
    return image, label


images_ds = list_ds.shuffle(NUM_FILES)
images_ds = images_ds.map(parse_image, num_parallel_calls=tf.data.AUTOTUNE)
images_ds = images_ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((128, 128, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(4),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(CLASS_NAMES)),
])
model.compile(
    "adam",
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(images_ds, epochs=5)
