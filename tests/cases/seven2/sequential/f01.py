import tensorflow as tf
import tensorflow_datasets as tfds
import keras

BATCH = 64


def prep(example):
    img = tf.image.resize(example["image"], (224, 224))
    return keras.applications.vgg16.preprocess_input(img), example["label"]


raw, info = tfds.load("oxford_iiit_pet", split=None, with_info=True)
data = {
    split: ds.map(prep)
    .cache()
    .shuffle(2000)
    .batch(BATCH)
    .prefetch(tf.data.AUTOTUNE)
    for split, ds in raw.items()
}

vgg = keras.applications.VGG16(include_top=False, pooling="avg")
vgg.trainable = False
model = keras.Sequential([vgg, keras.layers.Dense(info.features["label"].num_classes, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(data["train"], validation_data=data["test"], epochs=12)
