import tensorflow as tf

CLASSES = 19
PARTS = {"photo": 3, "labels": 1}


def parse(record):
    example = tf.io.parse_single_example(
        record, {name: tf.io.FixedLenFeature([], tf.string) for name in PARTS}
    )
    parts = {}
    for name, channels in PARTS.items():
        pixels = tf.io.decode_png(example[name], channels=channels)
        parts[name] = tf.image.resize(pixels, (256, 512), method="bicubic")
    photo = parts["photo"] / 255.0
    target = tf.one_hot(tf.cast(parts["labels"][..., 0], tf.int32), CLASSES)
    return photo, target


files = tf.data.Dataset.list_files("cityscapes/train-*.tfrecord")
train = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
train = train.shuffle(300)
train = train.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(4).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((256, 512, 3)),
    tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(CLASSES, 1, activation="softmax"),
])
model.compile("adam", "categorical_crossentropy")
model.fit(train, epochs=80)
