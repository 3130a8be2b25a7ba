# %% [markdown]
# Cats and dogs, with a progress bar of our own

# %%
import tensorflow as tf

SIZE = (96, 96)
train = tf.keras.utils.image_dataset_from_directory("data/pets", image_size=SIZE, batch_size=32, label_mode="binary")
train = train.prefetch(tf.data.AUTOTUNE)

# %%
model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1 / 255.0),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam()
loss_of = tf.keras.losses.BinaryCrossentropy(from_logits=True)


# %%
def number_of_batches(ds):
    n = 0
    for _ in ds:
        n += 1
    return n


@tf.function
def step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


# %%
total = number_of_batches(train)
for epoch in range(10):
    bar = tf.keras.utils.Progbar(total, stateful_metrics=["epoch"])
    for i, (images, labels) in enumerate(train, start=1):
        bar.update(i, values=[("epoch", epoch), ("loss", float(step(images, labels)))])
