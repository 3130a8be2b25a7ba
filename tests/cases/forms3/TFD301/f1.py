import tensorflow as tf
from tensorflow import keras

AUTOTUNE = tf.data.AUTOTUNE
files = sorted(tf.io.gfile.glob("data/flowers/*/*.jpg"))
classes = sorted({f.split("/")[-2] for f in files})
labels = [classes.index(f.split("/")[-2]) for f in files]


def decode(data, label):
    img = tf.io.decode_jpeg(data, channels=3)
    img = tf.image.resize(img, (180, 180)) / 255.0
    return img, label


ds = tf.data.Dataset.from_tensor_slices((files, labels))
ds = ds.map(lambda f, y: (tf.io.read_file(f), y), num_parallel_calls=AUTOTUNE)
ds = ds.cache()
ds = ds.shuffle(len(files), seed=1)
ds = ds.map(decode, num_parallel_calls=AUTOTUNE)
ds = ds.batch(32).prefetch(AUTOTUNE)

model = keras.Sequential([
    keras.Input((180, 180, 3)),
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(len(classes), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(ds, epochs=20)
