import tensorflow as tf
import tensorflow_datasets as tfds

BATCH = 512
AUTOTUNE = tf.data.AUTOTUNE

train, info = tfds.load(
    "imagenet_resized/64x64",
    split="train",
    as_supervised=True,
    shuffle_files=True,
    with_info=True,
)

train = train.shuffle(50_000)
train = train.map(lambda image, label: (tf.cast(image, tf.float32) / 255.0, label), num_parallel_calls=AUTOTUNE)
train = train.batch(BATCH, drop_remainder=True)
train = train.prefetch(AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Input((64, 64, 3)),
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(info.features["label"].num_classes),
])
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(train, epochs=20)
