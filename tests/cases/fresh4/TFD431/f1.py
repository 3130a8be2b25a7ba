import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
x_train = x_train.astype("float32") / 255.0
x_test = x_test.astype("float32") / 255.0

train = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train = train.shuffle(50_000).batch(64).prefetch(tf.data.AUTOTUNE)
test = tf.data.Dataset.from_tensor_slices((x_test, y_test))
test = test.batch(64).prefetch(tf.data.AUTOTUNE)

backbone = tf.keras.applications.EfficientNetV2B0(
    include_top=False, weights="imagenet", input_shape=(128, 128, 3), pooling="avg"
)
backbone.trainable = False
model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.UpSampling2D(4, interpolation="bilinear"),
    backbone,
    tf.keras.layers.Dropout(0.2),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=test, epochs=5)
