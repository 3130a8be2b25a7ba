import tensorflow as tf
import tensorflow_datasets as tfds

IMG = (224, 224)
train = tfds.load("cats_vs_dogs", split="train", as_supervised=True)
train = train.shuffle(1000)
train = train.map(lambda x, y: (tf.image.resize(x, IMG), y), num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(32)
train = train.map(
    lambda x, y: (tf.keras.applications.mobilenet_v2.preprocess_input(x), y),
    num_parallel_calls=tf.data.AUTOTUNE,
)
train = train.prefetch(tf.data.AUTOTUNE)

base = tf.keras.applications.MobileNetV2(input_shape=IMG + (3,), include_top=False, weights="imagenet")
base.trainable = False
model = tf.keras.Sequential([
    base,
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=5)
