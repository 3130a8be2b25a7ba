import tensorflow as tf

from data import photos

ds = photos("drone/*.jpg")
total = 0
for _ in ds:
    total += 1
print(f"{total} photos")

ds = ds.batch(32).repeat().prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(ds, steps_per_epoch=total // 32, epochs=10)
