import tensorflow as tf

from corpus import SIZE, sentences

VAL = SIZE // 10
everything = sentences()
val = everything.take(VAL).batch(128).prefetch(tf.data.AUTOTUNE)
train = everything.skip(VAL).batch(128).prefetch(tf.data.AUTOTUNE)

net = tf.keras.Sequential([
    tf.keras.layers.Embedding(20000, 64), tf.keras.layers.GlobalAveragePooling1D(), tf.keras.layers.Dense(2)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.Adam()
for epoch in range(10):
    for item in train:
        with tf.GradientTape() as tape:
            loss = loss_fn(item["label"], net(item["ids"], training=True))
        grads = tape.gradient(loss, net.trainable_variables)
        opt.apply_gradients(zip(grads, net.trainable_variables))
    metric = tf.keras.metrics.SparseCategoricalAccuracy()
    for item in val:
        metric.update_state(item["label"], net(item["ids"], training=False))
    print(epoch, float(metric.result()))
