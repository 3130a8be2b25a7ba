import tensorflow as tf
from tensorflow.keras import layers

DATA_DIR = "/data/food101/images"
COMMON = dict(image_size=(224, 224), batch_size=32, label_mode="int")


def split_dir(name, **kwargs):
    options = {**COMMON, **kwargs}
    return tf.keras.utils.image_dataset_from_directory(f"{DATA_DIR}/{name}", **options)


def configure_for_performance(ds, training):
    ds = ds.cache()
    if training:
        ds = ds.shuffle(buffer_size=1000)
    return ds.prefetch(buffer_size=tf.data.AUTOTUNE)


def build(num_classes):
    base = tf.keras.applications.EfficientNetV2B0(include_top=False, pooling="avg")
    base.trainable = False
    return tf.keras.Sequential([
        layers.RandomFlip("horizontal"),
        layers.RandomRotation(0.1),
        base,
        layers.Dropout(0.2),
        layers.Dense(num_classes, activation="softmax"),
    ])


train_ds = split_dir("train", shuffle=False)
class_names = train_ds.class_names
val_ds = split_dir("test", shuffle=False)

train_ds = configure_for_performance(train_ds, training=True)
val_ds = configure_for_performance(val_ds, training=False)

model = build(len(class_names))
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(
    train_ds,
    validation_data=val_ds,
    epochs=20,
    callbacks=[tf.keras.callbacks.EarlyStopping(patience=3, restore_best_weights=True)],
)
