import tensorflow as tf

from images import food

IMAGE_SIZE = 224

base = tf.keras.applications.ConvNeXtTiny(
    weights="imagenet", include_top=False, input_shape=(IMAGE_SIZE, IMAGE_SIZE, 3)
)
base.trainable = False

inputs = tf.keras.Input((IMAGE_SIZE, IMAGE_SIZE, 3))
features = tf.keras.layers.GlobalAveragePooling2D()(base(inputs, training=False))
outputs = tf.keras.layers.Dense(101, activation="softmax")(features)
model = tf.keras.Model(inputs, outputs)

model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(food("train", IMAGE_SIZE), validation_data=food("validation", IMAGE_SIZE), epochs=4)
