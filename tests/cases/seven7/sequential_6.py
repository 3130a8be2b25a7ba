"""Kaggle: Cassava leaf disease, EfficientNet, notebook exported to a script."""
# %% imports
import pandas as pd
import tensorflow as tf
from tensorflow.keras import layers

# %% settings
ROOT = "/kaggle/input/cassava-leaf-disease-classification"
IMG = 384
BS = 32
EPOCHS = 25

# %% csv
df = pd.read_csv(f"{ROOT}/train.csv").sample(frac=1, random_state=42)
n_val = int(0.1 * len(df))
df_val, df_trn = df[:n_val], df[n_val:]


# %% input mixins
class ReadsJpeg:
    def load(self, name, label):
        raw = tf.io.read_file(tf.strings.join([ROOT, "/train_images/", name]))
        img = tf.image.decode_jpeg(raw, channels=3)
        return tf.image.resize(img, (IMG, IMG)), label

    def read(self, frame):
        ds = tf.data.Dataset.from_tensor_slices((frame.image_id.values, frame.label.values))
        if self.training:
            ds = ds.shuffle(len(frame))
        return ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)


class KerasAugments:
    aug = tf.keras.Sequential([
        layers.RandomFlip("horizontal_and_vertical"),
        layers.RandomRotation(0.2),
        layers.RandomZoom(0.2),
        layers.RandomContrast(0.3),
    ])

    def augment(self, ds):
        return ds.map(lambda x, y: (self.aug(x, training=True), y))


class Leaves(ReadsJpeg, KerasAugments):
    def __init__(self, training):
        self.training = training

    def __call__(self, frame):
        ds = self.read(frame)
        if self.training:
            ds = self.augment(ds)
        return ds.batch(BS).prefetch(tf.data.AUTOTUNE)


# %% model
base = tf.keras.applications.EfficientNetB4(include_top=False, pooling="avg",
                                            input_shape=(IMG, IMG, 3))
out = layers.Dense(5, activation="softmax")(layers.Dropout(0.4)(base.output))
model = tf.keras.Model(base.input, out)
model.compile(optimizer=tf.keras.optimizers.Adam(1e-4),
              loss="sparse_categorical_crossentropy", metrics=["accuracy"])

# %% train
callbacks = [
    tf.keras.callbacks.EarlyStopping(patience=4, restore_best_weights=True),
    tf.keras.callbacks.ReduceLROnPlateau(patience=2, factor=0.3),
]
history = model.fit(
    Leaves(training=True)(df_trn),
    validation_data=Leaves(training=False)(df_val),
    epochs=EPOCHS,
    callbacks=callbacks,
)
pd.DataFrame(history.history).to_csv("history.csv", index=False)
model.save("cassava_b4.keras")
