import numpy as np
import tensorflow as tf
from sklearn.metrics import confusion_matrix

test_ds = tf.keras.utils.image_dataset_from_directory(
    "xray/test", image_size=(224, 224), batch_size=32
)
class_names = test_ds.class_names
test_ds = test_ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("xray.keras")

y_true = np.concatenate([labels.numpy() for _, labels in test_ds])
y_pred = np.argmax(model.predict(test_ds), axis=1)

matrix = confusion_matrix(y_true, y_pred)
for name, row in zip(class_names, matrix):
    print(name, row)
