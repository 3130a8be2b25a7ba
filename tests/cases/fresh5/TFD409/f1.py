import numpy as np
import tensorflow as tf

test = tf.keras.utils.image_dataset_from_directory(
    "/data/food/test", image_size=(224, 224), batch_size=32)
class_names = test.class_names
test = test.prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("/models/food.keras")
predictions = model.predict(test)
predicted = np.argmax(predictions, axis=1)
actual = np.concatenate([labels for _, labels in test.as_numpy_iterator()])
matrix = tf.math.confusion_matrix(actual, predicted, num_classes=len(class_names))
for name, row in zip(class_names, matrix.numpy()):
    print(name, row)
print("accuracy", float(np.mean(actual == predicted)))
