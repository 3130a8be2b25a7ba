import csv
import os

import tensorflow as tf

images_directory = "/content/crops"
labels_directory = "/content/labels"
SELECTED_FEATURE = "species"


def get_class_label(feature, label_file):
    with open(os.path.join(labels_directory, label_file)) as f:
        row = next(csv.DictReader(f))
    return int(row[feature])


label_list = []
for path, directories, image_files in os.walk(images_directory):
    for image_file in image_files:
        label_file = os.path.splitext(image_file)[0] + ".csv"
        label_list.append(get_class_label(SELECTED_FEATURE, label_file))

common = dict(image_size=(32, 32), labels=label_list, label_mode="int",
              validation_split=0.2, seed=123, batch_size=64)
train_ds = tf.keras.utils.image_dataset_from_directory(images_directory, subset="training", **common)
val_ds = tf.keras.utils.image_dataset_from_directory(images_directory, subset="validation", **common)
train_ds = train_ds.prefetch(tf.data.AUTOTUNE)
val_ds = val_ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Input((32, 32, 3)),
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(max(label_list) + 1, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, validation_data=val_ds, epochs=15)
