import numpy as np
import tensorflow as tf

test = tf.keras.utils.image_dataset_from_directory(
    "/data/food/test", image_size=(224, 224), batch_size=32)
test = test.prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("/models/food.keras")


@tf.function
def forward(images):
    return tf.argmax(model(images, training=False), -1)


actual, predicted = [], []
for images, labels in test:
    predicted.append(forward(images))
    actual.append(labels)
actual = tf.concat(actual, 0).numpy()
predicted = tf.concat(predicted, 0).numpy()
print("accuracy", float(np.mean(actual == predicted)))
