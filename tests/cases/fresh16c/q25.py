"""Fashion GAN discriminator pretraining on several GPUs."""
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
BATCH_PER_REPLICA = 64
GLOBAL_BATCH = BATCH_PER_REPLICA * strategy.num_replicas_in_sync
EPOCHS = 10

(x_train, y_train), _ = tf.keras.datasets.fashion_mnist.load_data()
x_train = (x_train[..., None] / 255.0).astype(np.float32)


def input_data(batch_size):
    ds = tf.data.Dataset.from_tensor_slices((x_train, y_train))
    ds = ds.shuffle(len(x_train)).batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


train_dist = strategy.experimental_distribute_dataset(input_data(BATCH_PER_REPLICA))

with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Conv2D(64, 5, strides=2, padding="same"),
        tf.keras.layers.LeakyReLU(),
        tf.keras.layers.Conv2D(128, 5, strides=2, padding="same"),
        tf.keras.layers.LeakyReLU(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10),
    ])
    optimizer = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, reduction="none")


def compute_loss(labels, predictions):
    per_example = loss_object(labels, predictions)
    return tf.nn.compute_average_loss(per_example, global_batch_size=GLOBAL_BATCH)


def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = compute_loss(labels, model(images, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


@tf.function
def distributed_step(images, labels):
    losses = strategy.run(train_step, args=(images, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


for epoch in range(EPOCHS):
    total, batches = tf.constant(0.0), 0
    for images, labels in train_dist:
        total += distributed_step(images, labels)
        batches += 1
    print(f"epoch {epoch + 1}: loss {float(total) / batches:.4f}")
