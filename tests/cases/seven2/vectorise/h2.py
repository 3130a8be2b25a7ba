import keras
import tensorflow as tf

BATCH = 64

train = keras.utils.image_dataset_from_directory("leaves/train", image_size=(224, 224), batch_size=BATCH, seed=1)
names = train.class_names


def prepare(images, labels):
    return images / 127.5 - 1.0, tf.one_hot(labels, len(names))


train = train.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

base = keras.applications.MobileNetV2(include_top=False, pooling="avg", input_shape=(224, 224, 3))
base.trainable = False
model = keras.Sequential([base, keras.layers.Dense(len(names), activation="softmax")])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=10)
