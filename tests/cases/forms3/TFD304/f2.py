import tensorflow as tf

STEPS = 200
EPOCHS = 30

files = tf.io.gfile.glob("wiki/*.txt")
vectorize = tf.keras.layers.TextVectorization(10000, output_sequence_length=65)
lines = tf.data.TextLineDataset(files)
vectorize.adapt(lines.batch(1024))

ds = lines.batch(64, drop_remainder=True)
ds = ds.map(vectorize, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(lambda t: (t[:, :-1], t[:, 1:]), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache("/tmp/wiki_tokens")
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(10000, 128),
    tf.keras.layers.GRU(256, return_sequences=True),
    tf.keras.layers.Dense(10000),
])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam()
for epoch in range(EPOCHS):
    for step, (x, y) in enumerate(ds):
        if step >= STEPS:
            break
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(loss))
