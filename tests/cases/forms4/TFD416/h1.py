import tensorflow as tf

(x, y), _ = tf.keras.datasets.boston_housing.load_data()
ds = tf.data.Dataset.from_tensor_slices((x.astype("float32"), y.astype("float32")))
ds = ds.shuffle(404).batch(16).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((13,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")

for epoch in range(20):
    batches = iter(ds)
    losses = []
    for features, prices in batches:
        losses.append(model.train_on_batch(features, prices))
    print(epoch, sum(losses) / max(len(losses), 1))
