import tensorflow as tf
import tensorflow_datasets as tfds

BUFFER = 9000
(train, val), info = tfds.load("imagenette/320px", split=["train", "validation"], as_supervised=True, with_info=True)


def resize(image, label):
    image = tf.image.resize(image, (320, 320))
    image = tf.keras.applications.resnet_v2.preprocess_input(image)
    return image, tf.one_hot(label, info.features["label"].num_classes)


train = train.map(resize, num_parallel_calls=tf.data.AUTOTUNE)
train = train.shuffle(BUFFER)
train = train.batch(64).prefetch(tf.data.AUTOTUNE)
val = val.map(resize, num_parallel_calls=tf.data.AUTOTUNE)
val = val.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.ResNet50V2(weights=None, classes=10, input_shape=(320, 320, 3))
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=val, epochs=3)
