import keras
import tensorflow as tf
from keras import layers

IMG = (224, 224)
BATCH = 64

train = keras.utils.image_dataset_from_directory(
    "birds/train",
    image_size=IMG,
    batch_size=None,
    label_mode="int",
    seed=7,
)
num_classes = len(train.class_names)

rescale = layers.Rescaling(1.0 / 127.5, offset=-1)


def prepare(image, label):
    return rescale(image), tf.one_hot(label, num_classes)


train = (
    train.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(BATCH, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)

base = keras.applications.MobileNetV2(include_top=False, input_shape=IMG + (3,), pooling="avg")
base.trainable = False
model = keras.Sequential([base, layers.Dropout(0.2), layers.Dense(num_classes, activation="softmax")])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=12)
