import tensorflow as tf

from noisy import noisy_digits

denoiser = tf.keras.Sequential([
    tf.keras.Input((28, 28, 1)),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(1, 3, padding="same"),
])
denoiser.compile("adam", "mse")

source = iter(noisy_digits(batch_size=128))
state = tf.train.Checkpoint(denoiser=denoiser, source=source)
saver = tf.train.CheckpointManager(state, directory="denoiser", max_to_keep=1)
if saver.latest_checkpoint:
    state.restore(saver.latest_checkpoint)

for step in range(5000):
    noisy, clean = next(source)
    loss = denoiser.train_on_batch(noisy, clean)
    if step % 250 == 249:
        print(step, loss, saver.save())
