import csv
import glob
import logging
import os

import tensorflow as tf

ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
HEIGHT, WIDTH, LENGTH = 50, 200, 5
PATIENCE = 6

logging.basicConfig(filename='ocr.log', level=logging.INFO)

char_table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(list(ALPHABET), list(range(len(ALPHABET))), tf.string, tf.int32), -1)


def encode_sample(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    image = tf.image.resize(tf.image.convert_image_dtype(image, tf.float32), [HEIGHT, WIDTH])
    image = tf.transpose(image, perm=[1, 0, 2])
    name = tf.strings.split(path, os.path.sep)[-1]
    text = tf.strings.regex_replace(name, r'\.png$', '')
    label = char_table.lookup(tf.strings.unicode_split(text, 'UTF-8'))
    return image, tf.ensure_shape(label, [LENGTH])


def make(files, training):
    ds = tf.data.Dataset.from_tensor_slices(files)
    if training:
        ds = ds.shuffle(len(files))
    ds = ds.map(encode_sample)
    return ds.batch(16)


inputs = tf.keras.Input((WIDTH, HEIGHT, 1))
x = tf.keras.layers.Conv2D(32, 3, padding='same', activation='relu')(inputs)
x = tf.keras.layers.MaxPooling2D(2)(x)
x = tf.keras.layers.Conv2D(64, 3, padding='same', activation='relu')(x)
x = tf.keras.layers.MaxPooling2D(2)(x)
x = tf.keras.layers.Reshape((WIDTH // 4, HEIGHT // 4 * 64))(x)
x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64, return_sequences=True))(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(len(ALPHABET) + 1)(x))
optimizer = tf.keras.optimizers.Adam()


def ctc(labels, logits):
    lengths = tf.fill([tf.shape(labels)[0]], LENGTH)
    logit_lengths = tf.fill([tf.shape(logits)[0]], WIDTH // 4)
    return tf.reduce_mean(tf.nn.ctc_loss(labels, logits, lengths, logit_lengths, logits_time_major=False, blank_index=-1))


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = ctc(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


files = sorted(glob.glob('data/captcha/*.png'))
train_ds, valid_ds = make(files[:-200], True), make(files[-200:], False)
best, waited = float('inf'), 0
with open('ocr.csv', 'w') as handle:
    writer = csv.writer(handle)
    for epoch in range(100):
        train, valid = tf.keras.metrics.Mean(), tf.keras.metrics.Mean()
        for images, labels in train_ds:
            train.update_state(train_step(images, labels))
        for images, labels in valid_ds:
            valid.update_state(ctc(labels, model(images, training=False)))
        writer.writerow([epoch, float(train.result()), float(valid.result())])
        logging.info('epoch %d: %.4f', epoch, valid.result())
        if valid.result() < best:
            best, waited = float(valid.result()), 0
            model.save_weights('ocr.h5')
        else:
            waited += 1
        if waited > PATIENCE:
            break
