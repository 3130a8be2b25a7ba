import os
from glob import glob

import segmentation_models as sm
import tensorflow as tf

sm.set_framework("tf.keras")

BACKBONE = "resnet34"
SIZE = 320
preprocess_input = sm.get_preprocessing(BACKBONE)


def load_pair(image_path, mask_path):
    image = tf.io.decode_jpeg(tf.io.read_file(image_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    image = tf.image.resize(image, [SIZE, SIZE])
    mask = tf.image.resize(mask, [SIZE, SIZE], method="nearest")
    return preprocess_input(image), tf.cast(mask > 0, tf.float32)


def get_dataset(folder, batch_size, shuffle):
    images = sorted(glob(os.path.join(folder, "images", "*.jpg")))
    masks = sorted(glob(os.path.join(folder, "masks", "*.png")))
    ds = tf.data.Dataset.from_tensor_slices((images, masks))
    if shuffle:
        ds = ds.shuffle(buffer_size=len(images))
    ds = ds.map(load_pair)
    return ds.batch(batch_size)


model = sm.Unet(BACKBONE, classes=1, activation="sigmoid", encoder_weights="imagenet")
model.compile(
    optimizer=tf.keras.optimizers.Adam(1e-4),
    loss=sm.losses.bce_jaccard_loss,
    metrics=[sm.metrics.iou_score],
)

train_ds = get_dataset("data/roofs/train", 8, shuffle=True)
val_ds = get_dataset("data/roofs/val", 8, shuffle=False)

model.fit(
    train_ds,
    validation_data=val_ds,
    epochs=40,
    callbacks=[
        tf.keras.callbacks.ModelCheckpoint("unet_best.h5", monitor="val_iou_score", mode="max", save_best_only=True),
        tf.keras.callbacks.ReduceLROnPlateau(),
    ],
)
