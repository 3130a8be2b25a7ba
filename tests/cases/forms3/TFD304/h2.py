import matplotlib.pyplot as plt
import tensorflow as tf

files = sorted(tf.io.gfile.glob("scans/*.png"))
labels = [int("pos" in f) for f in files]


def decode(path, label):
    img = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(img, (128, 128)) / 255.0, label


ds = tf.data.Dataset.from_tensor_slices((files, labels))
ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).cache().prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=10)
for x, y in ds.take(1):
    probs = model.predict_on_batch(x)
    for i in range(4):
        plt.subplot(2, 2, i + 1)
        plt.imshow(x[i, ..., 0])
        plt.title(f"{probs[i, 0]:.2f} {int(y[i])}")
plt.savefig("examples.png")
