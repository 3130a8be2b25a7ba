from functools import partial

import matplotlib.pyplot as plt
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
BATCH_SIZE = 64
IMAGE_SIZE = [512, 512]

FILENAMES = tf.io.gfile.glob("data/melanoma/train*.tfrec")
split_ind = int(0.9 * len(FILENAMES))
VALID_FILENAMES = FILENAMES[split_ind:]


def decode_image(image):
    image = tf.image.decode_jpeg(image, channels=3)
    image = tf.cast(image, tf.float32)
    return tf.reshape(image, [*IMAGE_SIZE, 3])


def read_tfrecord(example, labeled):
    tfrecord_format = {"image": tf.io.FixedLenFeature([], tf.string)}
    if labeled:
        tfrecord_format["target"] = tf.io.FixedLenFeature([], tf.int64)
    example = tf.io.parse_single_example(example, tfrecord_format)
    image = decode_image(example["image"])
    if labeled:
        return image, tf.cast(example["target"], tf.int32)
    return image


ignore_order = tf.data.Options()
ignore_order.deterministic = False

train_dataset = tf.data.TFRecordDataset(FILENAMES[:split_ind])
train_dataset = train_dataset.with_options(ignore_order)
train_dataset = train_dataset.map(partial(read_tfrecord, labeled=True), num_parallel_calls=AUTOTUNE)
train_dataset = train_dataset.shuffle(2048).batch(BATCH_SIZE)

valid_dataset = tf.data.TFRecordDataset(VALID_FILENAMES, num_parallel_reads=AUTOTUNE)
valid_dataset = valid_dataset.map(partial(read_tfrecord, labeled=True), num_parallel_calls=AUTOTUNE)
valid_dataset = valid_dataset.batch(BATCH_SIZE).prefetch(AUTOTUNE)


def make_model():
    base_model = tf.keras.applications.Xception(input_shape=(*IMAGE_SIZE, 3), include_top=False, weights="imagenet")
    base_model.trainable = False
    inputs = tf.keras.layers.Input([*IMAGE_SIZE, 3])
    x = tf.keras.applications.xception.preprocess_input(inputs)
    x = base_model(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    x = tf.keras.layers.Dense(8, activation="relu")(x)
    outputs = tf.keras.layers.Dense(1, activation="sigmoid")(x)
    model = tf.keras.Model(inputs=inputs, outputs=outputs)
    model.compile("adam", loss="binary_crossentropy", metrics=[tf.keras.metrics.AUC(name="auc")])
    return model


strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = make_model()

checkpoint_cb = tf.keras.callbacks.ModelCheckpoint("melanoma_model.h5", save_best_only=True)
early_stopping_cb = tf.keras.callbacks.EarlyStopping(patience=10, restore_best_weights=True)
history = model.fit(
    train_dataset, epochs=20, validation_data=valid_dataset, callbacks=[checkpoint_cb, early_stopping_cb]
)

plt.plot(history.history["auc"])
plt.plot(history.history["val_auc"])
plt.savefig("auc.png")
