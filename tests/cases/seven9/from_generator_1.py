"""Cityscapes semantic segmentation, U-Net, converted from a notebook."""
import glob
import os

import cv2
import numpy as np
import tensorflow as tf

IMG_DIR = '/data/cityscapes/leftImg8bit/train'
LBL_DIR = '/data/cityscapes/gtFine/train'
H, W = 512, 1024
N_CLASSES = 19
BATCH_SIZE = 8

images = sorted(glob.glob(os.path.join(IMG_DIR, '*', '*_leftImg8bit.png')))
labels = [p.replace(IMG_DIR, LBL_DIR).replace(
    'leftImg8bit', 'gtFine_labelTrainIds') for p in images]
print(len(images), 'training images')


def data_generator():
    order = np.random.permutation(len(images))
    for i in order:
        img = cv2.cvtColor(cv2.imread(images[i]), cv2.COLOR_BGR2RGB)
        lbl = cv2.imread(labels[i], cv2.IMREAD_GRAYSCALE)
        img = cv2.resize(img, (W, H), interpolation=cv2.INTER_LINEAR)
        lbl = cv2.resize(lbl, (W, H), interpolation=cv2.INTER_NEAREST)
        lbl[lbl == 255] = N_CLASSES
        if np.random.rand() < 0.5:
            img, lbl = img[:, ::-1], lbl[:, ::-1]
        yield img.astype(np.float32) / 255.0, lbl.astype(np.int32)


train_ds = tf.data.Dataset.from_generator(
    data_generator,
    output_signature=(
        tf.TensorSpec((H, W, 3), tf.float32),
        tf.TensorSpec((H, W), tf.int32)))
train_ds = train_ds.repeat().batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)


def block(x, filters):
    for _ in range(2):
        x = tf.keras.layers.Conv2D(filters, 3, padding='same')(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.Activation('relu')(x)
    return x


inp = tf.keras.Input((H, W, 3))
c1 = block(inp, 32)
c2 = block(tf.keras.layers.MaxPool2D()(c1), 64)
c3 = block(tf.keras.layers.MaxPool2D()(c2), 128)
c4 = block(tf.keras.layers.MaxPool2D()(c3), 256)
u3 = block(tf.keras.layers.concatenate(
    [tf.keras.layers.UpSampling2D()(c4), c3]), 128)
u2 = block(tf.keras.layers.concatenate(
    [tf.keras.layers.UpSampling2D()(u3), c2]), 64)
u1 = block(tf.keras.layers.concatenate(
    [tf.keras.layers.UpSampling2D()(u2), c1]), 32)
out = tf.keras.layers.Conv2D(N_CLASSES + 1, 1, activation='softmax')(u1)
model = tf.keras.Model(inp, out)

model.compile('adam', 'sparse_categorical_crossentropy', metrics=['accuracy'])
model.fit(train_ds, steps_per_epoch=len(images) // BATCH_SIZE, epochs=100)
