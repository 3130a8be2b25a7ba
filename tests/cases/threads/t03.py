import pandas as pd
import tensorflow as tf
from tensorflow.keras import layers

train_df = pd.read_csv("pubmed_20k_rct/train.csv")
val_df = pd.read_csv("pubmed_20k_rct/dev.csv")
classes = sorted(train_df["target"].unique())

train_labels = tf.one_hot(train_df["target"].map(classes.index).to_numpy(), len(classes))
val_labels = tf.one_hot(val_df["target"].map(classes.index).to_numpy(), len(classes))

train_ds = tf.data.Dataset.from_tensor_slices((train_df["text"].to_numpy(), train_labels))
train_ds = train_ds.shuffle(len(train_df)).batch(32).prefetch(tf.data.AUTOTUNE)
val_ds = tf.data.Dataset.from_tensor_slices((val_df["text"].to_numpy(), val_labels))
val_ds = val_ds.batch(32).prefetch(tf.data.AUTOTUNE)

vectorizer = layers.TextVectorization(max_tokens=68000, output_sequence_length=55)
vectorizer.adapt(train_df["text"].to_numpy())

inputs = layers.Input(shape=(), dtype=tf.string)
x = vectorizer(inputs)
x = layers.Embedding(68000, 128)(x)
x = layers.Conv1D(64, 5, padding="same", activation="relu")(x)
x = layers.GlobalAveragePooling1D()(x)
outputs = layers.Dense(len(classes), activation="softmax")(x)
model = tf.keras.Model(inputs, outputs)
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])

model.fit(train_ds,
          epochs=50,
          steps_per_epoch=int(0.1 * len(train_ds)),
          validation_data=val_ds,
          callbacks=[tf.keras.callbacks.EarlyStopping(patience=5, restore_best_weights=True)])
