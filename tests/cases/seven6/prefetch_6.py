import tensorflow as tf
import tensorflow_datasets as tfds

IMG = 160
AUTOTUNE = tf.data.AUTOTUNE

(train_ds, val_ds), info = tfds.load(
    "food101", split=["train", "validation"], as_supervised=True, with_info=True)
num_classes = info.features["label"].num_classes


def prepare(image, label):
    return tf.image.resize(image, (IMG, IMG)), label


augmenter = tf.keras.Sequential([
    tf.keras.layers.RandomFlip("horizontal"),
    tf.keras.layers.RandomRotation(0.1),
    tf.keras.layers.RandomContrast(0.2),
])

train_ds = train_ds.shuffle(2000)
train_ds = train_ds.map(prepare, num_parallel_calls=AUTOTUNE)
train_ds = train_ds.batch(64)
train_ds = train_ds.map(lambda x, y: (augmenter(x, training=True), y), num_parallel_calls=AUTOTUNE)

val_ds = val_ds.map(prepare, num_parallel_calls=AUTOTUNE)
val_ds = val_ds.batch(64)
val_ds = val_ds.prefetch(AUTOTUNE)

base = tf.keras.applications.MobileNetV2(
    input_shape=(IMG, IMG, 3), include_top=False, weights="imagenet")
base.trainable = False
inputs = tf.keras.Input((IMG, IMG, 3))
x = tf.keras.applications.mobilenet_v2.preprocess_input(inputs)
x = base(x, training=False)
x = tf.keras.layers.GlobalAveragePooling2D()(x)
outputs = tf.keras.layers.Dense(num_classes)(tf.keras.layers.Dropout(0.2)(x))
model = tf.keras.Model(inputs, outputs)

model.compile(
    optimizer=tf.keras.optimizers.Adam(1e-3),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"])
history = model.fit(train_ds, validation_data=val_ds, epochs=15)

base.trainable = True
for layer in base.layers[:100]:
    layer.trainable = False
model.compile(
    optimizer=tf.keras.optimizers.Adam(1e-5),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"])
model.fit(train_ds, validation_data=val_ds, epochs=30, initial_epoch=history.epoch[-1] + 1)
