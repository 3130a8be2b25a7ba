"""ResNet-50 on ImageNet TFRecords with Keras fit."""
import os

import tensorflow as tf

DATA_DIR = os.environ.get("IMAGENET_TFRECORDS", "/data/imagenet/tfrecord")
IMAGE_SIZE = 224
BATCH_SIZE = 256
EPOCHS = 90
AUTOTUNE = tf.data.experimental.AUTOTUNE

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
}


def parse_train(serialized):
    example = tf.io.parse_single_example(serialized, FEATURES)
    image = tf.io.decode_jpeg(example["image/encoded"], channels=3)
    image = tf.image.resize(image, [IMAGE_SIZE + 32, IMAGE_SIZE + 32])
    image = tf.image.random_crop(image, [IMAGE_SIZE, IMAGE_SIZE, 3])
    image = tf.image.random_flip_left_right(image)
    image = tf.keras.applications.resnet50.preprocess_input(image)
    return image, example["image/class/label"] - 1


def parse_val(serialized):
    example = tf.io.parse_single_example(serialized, FEATURES)
    image = tf.io.decode_jpeg(example["image/encoded"], channels=3)
    image = tf.image.resize(image, [IMAGE_SIZE, IMAGE_SIZE])
    image = tf.keras.applications.resnet50.preprocess_input(image)
    return image, example["image/class/label"] - 1


train_files = tf.data.Dataset.list_files(os.path.join(DATA_DIR, "train-*"), shuffle=True)
train_ds = train_files.interleave(
    tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTOTUNE)
train_ds = train_ds.shuffle(10000)
train_ds = train_ds.map(parse_train, num_parallel_calls=AUTOTUNE)
train_ds = train_ds.batch(BATCH_SIZE, drop_remainder=True)

val_files = tf.data.Dataset.list_files(os.path.join(DATA_DIR, "validation-*"), shuffle=False)
val_ds = val_files.interleave(
    tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTOTUNE)
val_ds = val_ds.map(parse_val, num_parallel_calls=AUTOTUNE)
val_ds = val_ds.batch(BATCH_SIZE)

model = tf.keras.applications.ResNet50(weights=None, classes=1000)
model.compile(
    optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy", "sparse_top_k_categorical_accuracy"],
)
model.fit(
    train_ds,
    validation_data=val_ds,
    epochs=EPOCHS,
    callbacks=[
        tf.keras.callbacks.ModelCheckpoint("ckpt/{epoch:03d}.h5", save_best_only=True),
        tf.keras.callbacks.ReduceLROnPlateau(factor=0.1, patience=5),
    ],
)
