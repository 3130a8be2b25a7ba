import tensorflow as tf
import tensorflow_datasets as tfds

STEPS_PER_EPOCH = 200
ds = tfds.load("mnist", split="train", as_supervised=True)
ds = ds.shuffle(60000).batch(128)
ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam()
for epoch in range(5):
    for step in range(STEPS_PER_EPOCH):
        for images, labels in ds.take(1):
            with tf.GradientTape() as tape:
                loss = loss_fn(labels, model(images, training=True))
            grads = tape.gradient(loss, model.trainable_variables)
            opt.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(loss))
