import numpy as np
import tensorflow as tf

HEADS = {"age": 1, "pose": 3, "expression": 7}
rng = np.random.default_rng(1)

loaders = {}
for head, width in HEADS.items():
    x = rng.random((32 + 8 * width, 16)).astype("float32")
    y = rng.random((len(x), width)).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x)).repeat()
    loaders[head] = ds.batch(8).prefetch(tf.data.AUTOTUNE)
iterators = {head: iter(ds) for head, ds in loaders.items()}

trunk_in = tf.keras.Input((16,))
trunk = tf.keras.layers.Dense(16, activation="relu")(trunk_in)
models = {h: tf.keras.Model(trunk_in, tf.keras.layers.Dense(w)(trunk)) for h, w in HEADS.items()}


def make_step(model):
    optimizer = tf.keras.optimizers.Adam()
    optimizer.build(model.trainable_variables)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss
    return step


steps = {head: make_step(model) for head, model in models.items()}
for _ in range(10):
    for head in HEADS:
        x, y = next(iterators[head])
        loss = steps[head](x, y)
