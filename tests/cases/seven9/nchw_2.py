"""Keras retinal vessel / diabetic retinopathy grading, ported from Theano days."""
import argparse
import os

import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.layers import (Activation, BatchNormalization, Conv2D,
                                     Dense, Dropout, GlobalAveragePooling2D,
                                     Input, MaxPooling2D)
from tensorflow.keras.models import Model

K.set_image_data_format('channels_first')

SIZE = 512


def read(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (SIZE, SIZE))
    img = tf.image.random_flip_up_down(img)
    img = tf.transpose(img, perm=(2, 0, 1))
    mean = tf.constant([108.6, 75.5, 53.1])[:, None, None]
    return (img - mean) / 70.0, label


def eyepacs(root, csv, batch_size):
    rows = tf.data.experimental.CsvDataset(
        os.path.join(root, csv), [tf.string, tf.int32], header=True)
    rows = rows.map(
        lambda n, y: (tf.strings.join([root, '/train/', n, '.jpeg']), y))
    return (rows.cache()
            .shuffle(35126)
            .map(read, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch_size)
            .prefetch(tf.data.AUTOTUNE))


def block(x, filters):
    for _ in range(2):
        x = Conv2D(filters, (3, 3), padding='same')(x)
        x = BatchNormalization(axis=1)(x)
        x = Activation('relu')(x)
    return MaxPooling2D((2, 2))(x)


def network(classes=5):
    inp = Input(shape=(3, SIZE, SIZE))
    x = inp
    for filters in (32, 64, 128, 256, 512):
        x = block(x, filters)
    x = GlobalAveragePooling2D()(x)
    x = Dropout(0.5)(x)
    return Model(inp, Dense(classes, activation='softmax')(x))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--root', default='/data/eyepacs')
    parser.add_argument('--batch_size', type=int, default=24)
    parser.add_argument('--epochs', type=int, default=60)
    args = parser.parse_args()

    with tf.device('/GPU:0'):
        model = network()
    model.compile('adam', 'sparse_categorical_crossentropy',
                  metrics=['accuracy'])
    model.fit(eyepacs(args.root, 'trainLabels.csv', args.batch_size),
              epochs=args.epochs)
    model.save_weights('dr.weights.h5')


if __name__ == '__main__':
    main()
