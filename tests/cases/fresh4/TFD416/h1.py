import tensorflow as tf
import tensorflow_datasets as tfds

ds = tfds.load("penguins/processed", split="train", as_supervised=True)
ds = ds.shuffle(334).batch(16).prefetch(tf.data.AUTOTUNE)
batches = tfds.as_numpy(ds)

model = tf.keras.Sequential([
    tf.keras.Input((4,)),
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")

for epoch in range(30):
    losses = []
    for features, species in batches:
        losses.append(model.train_on_batch(features, species))
    print(epoch, sum(losses) / len(losses))
