import tensorflow as tf
import tensorflow_datasets as tfds

(train_examples, validation_examples), info = tfds.load(
    "tf_flowers",
    split=["train[:80%]", "train[80%:]"],
    with_info=True,
    as_supervised=True,
)

num_examples = info.splits["train"].num_examples
num_classes = info.features["label"].num_classes
IMAGE_RES = 224
BATCH_SIZE = 32


def format_example(image, label):
    image = tf.image.resize(image, (IMAGE_RES, IMAGE_RES)) / 255.0
    return image, label


train_batches = (train_examples.cache().shuffle(num_examples // 4)
                 .batch(BATCH_SIZE).map(format_example, num_parallel_calls=tf.data.AUTOTUNE)
                 .prefetch(1))
validation_batches = (validation_examples.cache()
                      .batch(BATCH_SIZE).map(format_example, num_parallel_calls=tf.data.AUTOTUNE)
                      .prefetch(1))

feature_extractor = tf.keras.applications.MobileNetV2(
    input_shape=(IMAGE_RES, IMAGE_RES, 3), include_top=False, pooling="avg")
feature_extractor.trainable = False

model = tf.keras.Sequential([
    feature_extractor,
    tf.keras.layers.Dense(num_classes),
])
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"])
history = model.fit(train_batches, epochs=6, validation_data=validation_batches)
