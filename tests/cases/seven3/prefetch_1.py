# %%
import keras
import tensorflow as tf

DATA = "/kaggle/input/paddy-disease-classification/train_images"
SIZE = (224, 224)
BATCH = 32
AUTO = tf.data.AUTOTUNE

# %%
train_ds = keras.utils.image_dataset_from_directory(
    DATA, validation_split=0.2, subset="training", seed=1337,
    image_size=SIZE, batch_size=BATCH, label_mode="categorical")
val_ds = keras.utils.image_dataset_from_directory(
    DATA, validation_split=0.2, subset="validation", seed=1337,
    image_size=SIZE, batch_size=BATCH, label_mode="categorical")
num_classes = len(train_ds.class_names)

# %%
augment = keras.Sequential([
    keras.layers.RandomFlip("horizontal"),
    keras.layers.RandomRotation(0.1),
    keras.layers.RandomZoom(0.2),
])

train_ds = train_ds.map(lambda x, y: (augment(x, training=True), y), num_parallel_calls=AUTO)

# %%
backbone = keras.applications.EfficientNetB0(include_top=False, pooling="avg", input_shape=SIZE + (3,))
model = keras.Sequential([backbone, keras.layers.Dropout(0.3),
                          keras.layers.Dense(num_classes, activation="softmax")])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])

# %%
history = model.fit(train_ds, validation_data=val_ds, epochs=15,
                    callbacks=[keras.callbacks.EarlyStopping(patience=3)])
