import numpy as np
import tensorflow as tf

rng = np.random.default_rng(50)
pipelines = {
    name: tf.data.Dataset.from_tensor_slices(rng.random((n, 4)).astype("float32"))
    .shuffle(n).batch(5, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    for name, n in (("small", 10), ("large", 40))
}
iterators = {name: iter(ds) for name, ds in pipelines.items()}

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam()
optimizer.build(model.trainable_variables)


@tf.function
def step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch, training=True) - batch))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for turn in range(12):
    for name in pipelines:
        batch = next(iterators[name], None)
        if batch is None:
            iterators[name] = iter(pipelines[name])
            batch = next(iterators[name])
        loss = step(batch)
