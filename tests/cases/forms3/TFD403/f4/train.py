import tensorflow as tf

from batches import sample

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(4, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")

step = 0
while step < 3000:
    features, labels = sample()
    loss = model.train_on_batch(features, labels)
    step += 1
    if step % 300 == 0:
        print(step, loss)
model.save("motor.keras")
