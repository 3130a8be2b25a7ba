import tensorflow as tf
from tensorflow.keras import layers


def block(x, filters, stride):
    x = layers.Conv2D(filters, 3, strides=stride, padding="same")(x)
    x = layers.BatchNormalization()(x)
    return layers.ReLU()(x)


train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(224, 224), batch_size=64)
classes = len(train.class_names)
train = train.prefetch(tf.data.AUTOTUNE)
inputs = tf.keras.Input((224, 224, 3))
x = layers.Rescaling(1.0 / 255)(inputs)
for filters in (32, 64, 128):
    x = block(x, filters, 2)
outputs = layers.Dense(classes)(layers.GlobalAveragePooling2D()(x))
model = tf.keras.Model(inputs, outputs)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=10)
