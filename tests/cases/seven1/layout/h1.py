import glob

import tensorflow as tf

RECORD = 1 + 32 * 32 * 3


def unpack(records):
    raw = tf.io.decode_raw(records, tf.uint8)
    labels = tf.cast(raw[:, 0], tf.int32)
    planes = tf.reshape(raw[:, 1:], (-1, 3, 32, 32))
    images = tf.transpose(planes, (0, 2, 3, 1))
    return tf.cast(images, tf.float32) / 255.0, labels


files = sorted(glob.glob("/data/tiny80m/*.bin"))
ds = tf.data.FixedLengthRecordDataset(files, RECORD, num_parallel_reads=tf.data.AUTOTUNE)
ds = ds.shuffle(50_000).batch(512, drop_remainder=True)
ds = ds.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=20)
