import tensorflow as tf

from images import ImageReader

read = ImageReader()


def example(path, label):
    image = read(path)
    image = tf.image.central_crop(image, 0.8)
    return tf.image.resize(image, (160, 160)), label


paths = tf.io.gfile.glob("/data/animals/*/*")
names = sorted({p.split("/")[-2] for p in paths})
labels = [names.index(p.split("/")[-2]) for p in paths]
ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
ds = ds.map(example, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(names)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=12)
