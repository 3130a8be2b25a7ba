import tensorflow as tf

SPEC = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    "image/filename": tf.io.FixedLenFeature([], tf.string),
    "image/source_id": tf.io.FixedLenFeature([], tf.string),
    "image/object/bbox/xmin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/xmax": tf.io.VarLenFeature(tf.float32),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    image = tf.image.resize(image, (224, 224)) / 255.0
    return image, ex["image/class/label"]


files = tf.data.Dataset.list_files("imagenet/train-*")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(10000)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(128).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1000, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=2)
