import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow import keras

IMG_SIZE = 224
splits = ["train[:90%]", "train[90%:]"]
(train_raw, val_raw), info = tfds.load("stanford_dogs", split=splits, as_supervised=True, with_info=True)


def prepare(image, label):
    image = tf.image.resize(image, (IMG_SIZE, IMG_SIZE))
    image = keras.applications.mobilenet_v2.preprocess_input(image)
    return image, tf.one_hot(label, info.features["label"].num_classes)


def pipeline(ds, shuffle):
    ds = ds.cache()
    if shuffle:
        ds = ds.shuffle(1000)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


base = keras.applications.MobileNetV2(include_top=False, pooling="avg")
base.trainable = False
model = keras.Sequential([base, keras.layers.Dense(120, activation="softmax")])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(pipeline(train_raw, True), validation_data=pipeline(val_raw, False), epochs=20)
