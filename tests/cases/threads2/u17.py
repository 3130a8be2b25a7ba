import pathlib
import random

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
BATCH_SIZE = 32
IMAGE_SIZE = 192

data_root = pathlib.Path(tf.keras.utils.get_file(
    "flower_photos",
    "https://storage.googleapis.com/download.tensorflow.org/example_images/flower_photos.tgz",
    untar=True))

all_image_paths = [str(path) for path in data_root.glob("*/*.jpg")]
random.shuffle(all_image_paths)
image_count = len(all_image_paths)

label_names = sorted(item.name for item in data_root.glob("*/") if item.is_dir())
label_to_index = {name: index for index, name in enumerate(label_names)}
all_image_labels = [label_to_index[pathlib.Path(p).parent.name] for p in all_image_paths]


def load_and_preprocess_image(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(tf.cast(image, tf.float32), (IMAGE_SIZE, IMAGE_SIZE))
    image.set_shape((IMAGE_SIZE, IMAGE_SIZE, 3))
    return image / 127.5 - 1.0, label


path_label_ds = tf.data.Dataset.from_tensor_slices((all_image_paths, all_image_labels))
image_label_ds = path_label_ds.map(load_and_preprocess_image, num_parallel_calls=AUTOTUNE)

ds = image_label_ds.repeat()
ds = ds.shuffle(buffer_size=4000)
ds = ds.batch(BATCH_SIZE)
ds = ds.prefetch(AUTOTUNE)

mobile_net = tf.keras.applications.MobileNetV2(
    input_shape=(IMAGE_SIZE, IMAGE_SIZE, 3), include_top=False)
mobile_net.trainable = False

model = tf.keras.Sequential([
    mobile_net,
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(label_names)),
])
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(ds, epochs=3, steps_per_epoch=image_count // BATCH_SIZE)
