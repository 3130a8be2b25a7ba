import tensorflow as tf
import keras

IMG = 299
paths = tf.data.Dataset.list_files("/data/xray/*/*.png", shuffle=True)


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (IMG, IMG))
    label = tf.cast(tf.strings.regex_full_match(path, ".*/positive/.*"), tf.int32)
    return image, label


train = paths.map(load)
train = train.shuffle(1024)
train = train.batch(32)
train = train.prefetch(tf.data.AUTOTUNE)

base = keras.applications.InceptionV3(include_top=False, weights="imagenet", pooling="avg")
out = keras.layers.Dense(1, activation="sigmoid")(base.output)
model = keras.Model(base.input, out)
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=15)
