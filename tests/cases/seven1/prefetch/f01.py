import tensorflow as tf
from tensorflow import keras

AUTOTUNE = tf.data.AUTOTUNE
CLASSES = tf.constant(["daisy", "rose", "tulip"])


def load_image(path):
    label = tf.argmax(tf.strings.split(path, "/")[-2] == CLASSES)
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, [224, 224])
    return img / 255.0, label


files = tf.data.Dataset.list_files("/data/flowers/*/*.jpg", shuffle=True)
train_ds = files.map(load_image, num_parallel_calls=AUTOTUNE)
train_ds = train_ds.shuffle(2048)
train_ds = train_ds.batch(64, drop_remainder=True)

model = keras.applications.MobileNetV2(weights=None, classes=3)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, epochs=20)
