import tensorflow as tf
import tensorflow_datasets as tfds

(ds_train, ds_val), info = tfds.load(
    "food101", split=["train", "validation"], as_supervised=True,
    shuffle_files=True, with_info=True)
n_classes = info.features["label"].num_classes


def preprocess(image, label):
    image = tf.image.resize(image, (224, 224))
    return tf.keras.applications.efficientnet.preprocess_input(image), label


ds_train = (
    ds_train.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(1000)
    .batch(64)
)
ds_val = (
    ds_val.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(64)
    .prefetch(tf.data.AUTOTUNE)
)

model = tf.keras.applications.EfficientNetB0(weights=None, classes=n_classes)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(ds_train, validation_data=ds_val, epochs=12)
