import numpy as np
import tensorflow as tf

MEMBERS = 3
rng = np.random.default_rng(23)
x = rng.normal(size=(160, 5)).astype("float32")
y = (x[:, 1] * x[:, 2] > 0).astype("int32")
x_train, y_train, x_test, y_test = x[:120], y[:120], x[120:], y[120:]

bags = []
for _ in range(MEMBERS):
    chosen = rng.integers(0, 120, 120)
    bags += [tf.data.Dataset.from_tensor_slices((x_train[chosen], y_train[chosen])).shuffle(120)]
bags = [bag.batch(20).prefetch(tf.data.AUTOTUNE) for bag in bags]
test = tf.data.Dataset.from_tensor_slices(x_test).batch(20).prefetch(tf.data.AUTOTUNE)

votes = []
for bag in bags:
    member = tf.keras.Sequential([
        tf.keras.Input((5,)),
        tf.keras.layers.Dense(12, activation="relu"),
        tf.keras.layers.Dense(2, activation="softmax"),
    ])
    member.compile("adam", "sparse_categorical_crossentropy")
    member.fit(bag, epochs=2, verbose=0)
    votes.append(member.predict(test, verbose=0))
print("ensemble accuracy", np.mean(np.mean(votes, axis=0).argmax(1) == y_test))
