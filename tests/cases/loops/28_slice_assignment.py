import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rng = np.random.default_rng(40)
signal = rng.normal(size=(200, 32)).astype("float32")
quality = signal.std(axis=1, keepdims=True)

splits = []
for begin, end in ((0, 140), (140, 170), (170, 200)):
    splits.append(tf.data.Dataset.from_tensor_slices((signal[begin:end], quality[begin:end])))

splits[1:] = [ds.batch(30).prefetch(AUTO) for ds in splits[1:]]
splits[:1] = [splits[0].shuffle(140).batch(14).prefetch(AUTO)]
train, *held = splits

model = tf.keras.Sequential([
    tf.keras.Input((32,)),
    tf.keras.layers.Dense(8, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(train, validation_data=held[0], epochs=2, verbose=0)
print(model.evaluate(held[-1], verbose=0))
