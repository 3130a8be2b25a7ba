import glob
import os

import tensorflow as tf
from tensorflow.keras import layers, models

IMAGE_SIZE = 224
BATCH_SIZE = 64
NUM_THREADS = 8

train_files = glob.glob('data/food101/train/*/*.jpg')
val_files = glob.glob('data/food101/val/*/*.jpg')
classes = sorted(os.listdir('data/food101/train'))
class_to_index = {name: index for index, name in enumerate(classes)}


def labels_of(files):
    return [class_to_index[os.path.basename(os.path.dirname(name))] for name in files]


def parse(filename, label):
    image = tf.io.read_file(filename)
    image = tf.image.decode_jpeg(image, channels=3)
    image = tf.image.resize(image, [IMAGE_SIZE, IMAGE_SIZE])
    image = image / 255.0
    return image, label


train = tf.data.Dataset.from_tensor_slices((train_files, labels_of(train_files)))
train = train.shuffle(len(train_files))
train = train.map(parse, num_parallel_calls=NUM_THREADS)
train = train.batch(BATCH_SIZE)
train = train.prefetch(100)

val = tf.data.Dataset.from_tensor_slices((val_files, labels_of(val_files)))
val = val.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
val = val.batch(BATCH_SIZE).prefetch(1)

model = models.Sequential()
model.add(layers.Conv2D(32, 3, strides=2, activation='relu', input_shape=(IMAGE_SIZE, IMAGE_SIZE, 3)))
model.add(layers.Conv2D(64, 3, strides=2, activation='relu'))
model.add(layers.Conv2D(128, 3, strides=2, activation='relu'))
model.add(layers.GlobalAveragePooling2D())
model.add(layers.Dense(len(classes), activation='softmax'))
model.compile(optimizer='rmsprop', loss='sparse_categorical_crossentropy', metrics=['accuracy'])
model.fit(train, epochs=20, validation_data=val, verbose=2)
scores = model.evaluate(val)
print(dict(zip(model.metrics_names, scores)))
model.save('food101.h5')
