import tensorflow as tf

from pipeline import line_dataset

model = tf.keras.Sequential([
    tf.keras.Input((4,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(3),
])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-3)
dataset = line_dataset("tables", batch_size=64)


@tf.function
def train_step(features, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(features, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(25):
    for features, labels in dataset:
        loss = train_step(features, labels)
    print(epoch, float(loss))
