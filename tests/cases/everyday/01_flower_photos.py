"""Fine-tune MobileNetV2 on the flower photos: one folder per class below DATA_DIR."""
import os

import numpy as np
import tensorflow as tf

DATA_DIR = "data/flower_photos"
IMG_SIZE = 192
BATCH_SIZE = 32
EPOCHS = 8

CLASS_NAMES = np.array(sorted(os.listdir(DATA_DIR)))


def get_label(file_path):
    parts = tf.strings.split(file_path, os.path.sep)
    one_hot = parts[-2] == CLASS_NAMES
    return tf.argmax(tf.cast(one_hot, tf.int32))


def process_path(file_path):
    img = tf.io.read_file(file_path)
    img = tf.image.decode_jpeg(img, channels=3)
    img = tf.image.resize(img, [IMG_SIZE, IMG_SIZE])
    img = tf.keras.applications.mobilenet_v2.preprocess_input(img)
    return img, get_label(file_path)


list_ds = tf.data.Dataset.list_files(os.path.join(DATA_DIR, "*", "*.jpg"), shuffle=False)
image_count = int(list_ds.cardinality())
list_ds = list_ds.shuffle(image_count, reshuffle_each_iteration=False)
val_size = image_count // 5

train_ds = list_ds.skip(val_size).map(process_path)
train_ds = train_ds.shuffle(1000).batch(BATCH_SIZE)

val_ds = list_ds.take(val_size).map(process_path, num_parallel_calls=tf.data.AUTOTUNE)
val_ds = val_ds.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)

base = tf.keras.applications.MobileNetV2(input_shape=(IMG_SIZE, IMG_SIZE, 3), include_top=False, pooling="avg")
base.trainable = False
model = tf.keras.Sequential([base, tf.keras.layers.Dropout(0.2), tf.keras.layers.Dense(len(CLASS_NAMES))])
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
history = model.fit(train_ds, validation_data=val_ds, epochs=EPOCHS)
model.save("models/flowers")
print("best accuracy:", max(history.history["val_accuracy"]))
