import tensorflow as tf
import tensorflow_datasets as tfds

IMG = 128
BATCH = 16


def prepare(image, label):
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, (IMG, IMG))
    return image, tf.one_hot(label, 2)


def part(split):
    ds = tfds.load("cats_vs_dogs", split=split, as_supervised=True)
    return ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)


ds1 = part("train[:30%]")
ds2 = part("train[30%:60%]")
ds3 = part("train[60%:90%]")

zipped_ds = tf.data.Dataset.zip((ds1, ds2, ds3))
zipped_ds = zipped_ds.shuffle(500).batch(BATCH).prefetch(tf.data.AUTOTUNE)
print(zipped_ds.element_spec)


def branch(name):
    inputs = tf.keras.Input((IMG, IMG, 3), name=name)
    x = tf.keras.layers.Conv2D(16, 3, strides=2, activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu")(x)
    return inputs, tf.keras.layers.GlobalAveragePooling2D()(x)


in1, f1 = branch("Input1")
in2, f2 = branch("Input2")
in3, f3 = branch("Input3")
x = tf.keras.layers.Concatenate()([f1, f2, f3])
x = tf.keras.layers.Dense(64, activation="relu")(x)
out = tf.keras.layers.Dense(2, activation="softmax")(x)

model = tf.keras.Model(inputs=[in1, in2, in3], outputs=out)
model.compile(
    optimizer="adam",
    loss="categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(zipped_ds, epochs=5)
