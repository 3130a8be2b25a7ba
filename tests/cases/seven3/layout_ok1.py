import tensorflow as tf

SPEC = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(records):
    ex = tf.io.parse_example(records, SPEC)
    planes = tf.reshape(tf.io.decode_raw(ex["image"], tf.uint8), (-1, 3, 32, 32))
    images = tf.transpose(planes, perm=[0, 2, 3, 1])
    return tf.cast(images, tf.float32) / 255.0, ex["label"]


files = tf.data.Dataset.list_files("/data/cifar-raw/train-*.tfrecord")
train = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
train = train.shuffle(20_000).batch(128, drop_remainder=True)
train = train.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(128, 3, padding="same", activation="relu"),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=50)
