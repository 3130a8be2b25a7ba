import numpy as np
import tensorflow as tf

image_paths = sorted(tf.io.gfile.glob("tiles/*.npy"))


def my_map_py(x):
    image = np.load(x.decode()).astype(np.float32)
    return image / 255.0


def my_map(x):
    image = tf.numpy_function(my_map_py, [x], tf.float32)
    image.set_shape((128, 128, 3))
    return image


dataset = tf.data.Dataset.from_tensor_slices(image_paths)
dataset = dataset.shuffle(len(image_paths)).repeat()
dataset = dataset.map(my_map, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(16).prefetch(tf.data.AUTOTUNE)
iterator = iter(dataset)

model = tf.keras.Sequential([
    tf.keras.layers.Input((128, 128, 3)),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same"),
])
optimizer = tf.keras.optimizers.Adam()
step = tf.Variable(0, dtype=tf.int64)
checkpoint = tf.train.Checkpoint(step=step, model=model, optimizer=optimizer, iterator=iterator)
manager = tf.train.CheckpointManager(checkpoint, "ckpt", max_to_keep=3)
checkpoint.restore(manager.latest_checkpoint)


@tf.function
def train_step(images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(images, training=True) - images))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


while step < 100000:
    loss = train_step(next(iterator))
    step.assign_add(1)
    if step % 1000 == 0:
        print(int(step), float(loss), manager.save())
