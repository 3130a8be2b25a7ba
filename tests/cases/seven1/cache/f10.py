import tensorflow as tf
import keras

AUTO = tf.data.AUTOTUNE
backbone = keras.applications.EfficientNetB0(include_top=False, pooling="avg")
backbone.trainable = False


def decode(path):
    img = tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), (224, 224))
    return img, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int64)


def embed(images, labels):
    return backbone(images, training=False), labels


train_ds = tf.data.Dataset.list_files("/data/artworks/*/*.jpg")
train_ds = train_ds.map(decode, num_parallel_calls=AUTO).batch(64)
train_ds = train_ds.cache()
train_ds = train_ds.map(embed, num_parallel_calls=AUTO)
train_ds = train_ds.shuffle(50).prefetch(AUTO)

head = keras.Sequential([keras.layers.Dense(256, activation="relu"), keras.layers.Dense(40)])
head.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
head.fit(train_ds, epochs=200)
