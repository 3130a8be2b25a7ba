import tensorflow as tf

RECORD = 1 + 3 * 32 * 32


def parse(record):
    raw = tf.io.decode_raw(record, tf.uint8)
    label = tf.cast(raw[0], tf.int32)
    image = tf.reshape(raw[1:], (3, 32, 32))
    image = tf.transpose(image, (1, 2, 0))
    return tf.cast(image, tf.float32) / 255.0, label


def build_model(num_classes):
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Input((32, 32, 3)),
        layers.Conv2D(64, 3, padding="same", activation="relu", data_format="channels_last"),
        layers.MaxPooling2D(),
        layers.Conv2D(128, 3, padding="same", activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(num_classes, activation="softmax"),
    ])


files = [f"/data/cifar-10-batches-bin/data_batch_{i}.bin" for i in range(1, 6)]
train = (
    tf.data.FixedLengthRecordDataset(files, RECORD)
    .shuffle(50_000)
    .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(128)
    .prefetch(tf.data.AUTOTUNE)
)

model = build_model(10)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=60)
