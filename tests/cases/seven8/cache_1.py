"""Stanford Dogs + Food-101 mix: transfer learning from TFRecords."""
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
IMG_SIZE = 224
BATCH_SIZE = 128
EPOCHS = 50
NUM_CLASSES = 221
TRAIN = tf.io.gfile.glob("/data/mix/train-*.tfrecord")
VALID = tf.io.gfile.glob("/data/mix/valid-*.tfrecord")

feature_description = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, feature_description)
    img = tf.io.decode_jpeg(ex["image"], channels=3)
    img = tf.image.resize(img, [IMG_SIZE, IMG_SIZE], method="lanczos3", antialias=True)
    img = tf.cast(tf.clip_by_value(img, 0, 255), tf.uint8)
    return img, tf.cast(ex["label"], tf.int32)


train_ds = tf.data.TFRecordDataset(TRAIN, num_parallel_reads=AUTOTUNE)
train_ds = train_ds.cache()
train_ds = train_ds.shuffle(10_000)
train_ds = train_ds.map(parse, num_parallel_calls=AUTOTUNE)
train_ds = train_ds.batch(BATCH_SIZE)
train_ds = train_ds.prefetch(AUTOTUNE)

valid_ds = (tf.data.TFRecordDataset(VALID, num_parallel_reads=AUTOTUNE)
            .map(parse, num_parallel_calls=AUTOTUNE)
            .batch(BATCH_SIZE)
            .prefetch(AUTOTUNE))

augment = tf.keras.Sequential([
    tf.keras.layers.RandomFlip("horizontal"),
    tf.keras.layers.RandomRotation(0.1),
    tf.keras.layers.RandomZoom(0.1),
])

backbone = tf.keras.applications.EfficientNetV2B0(
    include_top=False, input_shape=(IMG_SIZE, IMG_SIZE, 3), pooling="avg")
backbone.trainable = False

inputs = tf.keras.Input((IMG_SIZE, IMG_SIZE, 3))
x = augment(inputs)
x = backbone(x, training=False)
x = tf.keras.layers.Dropout(0.3)(x)
outputs = tf.keras.layers.Dense(NUM_CLASSES, activation="softmax")(x)
model = tf.keras.Model(inputs, outputs)

model.compile(
    optimizer=tf.keras.optimizers.Adam(1e-3),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(
    train_ds,
    validation_data=valid_ds,
    epochs=EPOCHS,
    callbacks=[tf.keras.callbacks.EarlyStopping(patience=6, restore_best_weights=True)],
)
model.save("mix_effnet.keras")
