import tensorflow as tf

EPOCHS = 5
EXAMPLES = 1200
BATCH_SIZE = 40
STEPS = EXAMPLES // BATCH_SIZE

features = tf.random.normal([EXAMPLES, 10], seed=1)
targets = tf.reduce_sum(features, axis=1, keepdims=True)

ds = tf.data.Dataset.from_tensor_slices((features, targets))
ds = ds.shuffle(EXAMPLES).batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)
iterator = iter(ds)

weights = tf.Variable(tf.zeros([10, 1]))
optimizer = tf.keras.optimizers.SGD(0.05)

for epoch in range(EPOCHS):
    for step in range(STEPS):
        x, y = next(iterator)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ weights - y))
        gradient = tape.gradient(loss, [weights])
        optimizer.apply_gradients(zip(gradient, [weights]))
    print(f"epoch {epoch}: loss {loss:.4f}")
