"""Plain CNN for satellite tiles (BigEarthNet), channels-first on GPU."""
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
TILE, BANDS, CLASSES = 120, 10, 19
BATCH, EPOCHS = 256, 60

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

SPEC = {
    "bands": tf.io.FixedLenFeature([], tf.string),
    "labels": tf.io.FixedLenFeature([CLASSES], tf.float32),
}


def parse(rec):
    ex = tf.io.parse_single_example(rec, SPEC)
    tile = tf.reshape(tf.io.decode_raw(ex["bands"], tf.uint16), [TILE, TILE, BANDS])
    tile = tf.image.random_flip_left_right(tf.image.random_flip_up_down(tile))
    tile = tf.cast(tile, tf.float32) / 10000.0
    return tf.transpose(tile, [2, 0, 1]), ex["labels"]


def dataset(pattern, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTOTUNE)
    if training:
        ds = ds.shuffle(20_000)
    ds = ds.map(parse, num_parallel_calls=AUTOTUNE)
    return ds.batch(BATCH).prefetch(AUTOTUNE)


def conv(x, filters, stride=1):
    x = tf.keras.layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False,
                               data_format="channels_first")(x)
    x = tf.keras.layers.BatchNormalization(axis=1)(x)
    return tf.keras.layers.ReLU()(x)


inputs = tf.keras.Input((BANDS, TILE, TILE))
x = inputs
for filters in (64, 128, 256, 512):
    x = conv(x, filters)
    x = conv(x, filters)
    x = tf.keras.layers.MaxPool2D(2, data_format="channels_first")(x)
x = tf.keras.layers.GlobalAveragePooling2D(data_format="channels_first")(x)
outputs = tf.keras.layers.Dense(CLASSES)(x)

model = tf.keras.Model(inputs, outputs)
model.compile(
    tf.keras.optimizers.Adam(1e-3),
    tf.keras.losses.BinaryCrossentropy(from_logits=True),
    metrics=[tf.keras.metrics.AUC(multi_label=True, from_logits=True, num_labels=CLASSES)],
)
model.fit(
    dataset("/data/bigearthnet/train-*.tfrecord", True),
    validation_data=dataset("/data/bigearthnet/val-*.tfrecord", False),
    epochs=EPOCHS,
)
model.save("bigearthnet_cnn.keras")
