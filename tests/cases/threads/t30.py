import numpy as np
import tensorflow as tf
from sklearn.metrics import classification_report, confusion_matrix

IMAGE_SIZE = 224
kwargs = dict(validation_split=0.2, seed=7, image_size=(IMAGE_SIZE, IMAGE_SIZE), batch_size=32)
train_data = tf.keras.utils.image_dataset_from_directory("leaves", subset="training", **kwargs)
val_data = tf.keras.utils.image_dataset_from_directory("leaves", subset="validation", **kwargs)
class_names = train_data.class_names

img_augmentation = tf.keras.Sequential([
    tf.keras.layers.RandomRotation(factor=0.15),
    tf.keras.layers.RandomTranslation(height_factor=0.1, width_factor=0.1),
    tf.keras.layers.RandomFlip(),
    tf.keras.layers.RandomContrast(factor=0.1),
], name="img_augmentation")

inputs = tf.keras.layers.Input(shape=(IMAGE_SIZE, IMAGE_SIZE, 3))
x = img_augmentation(inputs)
base = tf.keras.applications.EfficientNetB0(include_top=False, weights="imagenet")
base.trainable = False
x = base(x, training=False)
x = tf.keras.layers.GlobalAveragePooling2D(name="avg_pool")(x)
x = tf.keras.layers.Dropout(0.3)(x)
outputs = tf.keras.layers.Dense(len(class_names), activation="softmax", name="pred")(x)

model = tf.keras.Model(inputs, outputs, name="EfficientNet")
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_data.prefetch(tf.data.AUTOTUNE), epochs=25, validation_data=val_data, verbose=2)

print(model.evaluate(val_data))

y_true = np.concatenate([labels.numpy() for _, labels in val_data], axis=0)
y_pred = np.argmax(model.predict(val_data), axis=1)
print(confusion_matrix(y_true, y_pred))
print(classification_report(y_true, y_pred, target_names=class_names))
