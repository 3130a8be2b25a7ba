import tensorflow as tf


def build_model(num_classes):
    base = tf.keras.applications.MobileNetV2(include_top=False, input_shape=(224, 224, 3), pooling="avg")
    base.trainable = False
    inputs = tf.keras.Input((224, 224, 3))
    x = tf.keras.layers.Rescaling(1 / 127.5, offset=-1)(inputs)
    outputs = tf.keras.layers.Dense(num_classes, activation="softmax")(base(x, training=False))
    return tf.keras.Model(inputs, outputs)


def load(split):
    return tf.keras.utils.image_dataset_from_directory(
        f"flowers/{split}", image_size=(224, 224), batch_size=32, shuffle=False
    )


train_ds = load("train")
val_ds = load("val")
names = train_ds.class_names

model = build_model(len(names))
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(
    train_ds.prefetch(tf.data.AUTOTUNE),
    validation_data=val_ds.prefetch(tf.data.AUTOTUNE),
    epochs=8,
)
