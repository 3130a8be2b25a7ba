"""Semi-supervised training: the two streams need not match."""
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rng = np.random.default_rng(29)
sources = {
    "labelled": (rng.random((32, 10)).astype("float32"), rng.integers(0, 3, 32)),
    "unlabelled": rng.random((128, 10)).astype("float32"),
}
batch_sizes = {"labelled": 8, "unlabelled": 32}

streams = {}
for kind, arrays in sources.items():
    ds = tf.data.Dataset.from_tensor_slices(arrays)
    streams[kind] = ds.shuffle(batch_sizes[kind] * 4).batch(batch_sizes[kind])
both = tf.data.Dataset.zip(tuple(streams.values())).prefetch(AUTO)

model = tf.keras.Sequential([tf.keras.Input((10,)), tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(3)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
optimizer.build(model.trainable_variables)


@tf.function
def step(labelled, weak):
    x, y = labelled
    pseudo = tf.argmax(model(weak), axis=1)
    strong = weak + tf.random.normal(tf.shape(weak), stddev=0.1)
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True)) + 0.5 * loss_fn(pseudo, model(strong, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for epoch in range(3):
    for labelled, weak in both:
        loss = step(labelled, weak)
    print("epoch", epoch, float(loss))
