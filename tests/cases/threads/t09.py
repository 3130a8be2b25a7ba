import tensorflow as tf
import tensorflow_datasets as tfds

dataset, info = tfds.load("oxford_iiit_pet:3.*.*", with_info=True)
BATCH_SIZE, BUFFER_SIZE, EPOCHS = 64, 1000, 20


def normalize(input_image, input_mask):
    input_image = tf.cast(input_image, tf.float32) / 255.0
    input_mask -= 1
    return input_image, input_mask


@tf.function
def load_image_train(datapoint):
    input_image = tf.image.resize(datapoint["image"], (128, 128))
    input_mask = tf.image.resize(datapoint["segmentation_mask"], (128, 128), method="nearest")
    if tf.random.uniform(()) > 0.5:
        input_image = tf.image.flip_left_right(input_image)
        input_mask = tf.image.flip_left_right(input_mask)
    return normalize(input_image, input_mask)


def load_image_test(datapoint):
    input_image = tf.image.resize(datapoint["image"], (128, 128))
    input_mask = tf.image.resize(datapoint["segmentation_mask"], (128, 128), method="nearest")
    return normalize(input_image, input_mask)


steps = info.splits["train"].num_examples // BATCH_SIZE
train = dataset["train"].map(load_image_train, num_parallel_calls=tf.data.AUTOTUNE)
test = dataset["test"].map(load_image_test, num_parallel_calls=tf.data.AUTOTUNE)

train_dataset = train.cache().shuffle(BUFFER_SIZE).batch(BATCH_SIZE).repeat()
train_dataset = train_dataset.prefetch(buffer_size=tf.data.AUTOTUNE)
test_dataset = test.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)

inputs = tf.keras.Input((128, 128, 3))
x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
outputs = tf.keras.layers.Conv2D(3, 3, padding="same")(x)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train_dataset, epochs=EPOCHS, steps_per_epoch=steps, validation_data=test_dataset)
