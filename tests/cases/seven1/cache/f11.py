import tensorflow as tf

NUM_TRAIN = 118_000
BATCH = 16


def parse_coco(rec):
    ex = tf.io.parse_single_example(rec, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "boxes": tf.io.VarLenFeature(tf.float32),
    })
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    image = tf.image.resize_with_pad(image, 512, 512, antialias=True)
    boxes = tf.reshape(tf.sparse.to_dense(ex["boxes"]), (-1, 4))[:50]
    boxes = tf.pad(boxes, [[0, 50 - tf.shape(boxes)[0]], [0, 0]])
    return image / 255.0, tf.ensure_shape(boxes, (50, 4))


shards = tf.data.Dataset.list_files("/data/coco/train2017-*.tfrecord")
records = shards.interleave(
    tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
train = (
    records.cache()
    .shuffle(8192)
    .repeat()
    .map(parse_coco, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(BATCH, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)

model = tf.keras.Sequential([
    tf.keras.applications.ResNet50(include_top=False, weights="imagenet", pooling="avg"),
    tf.keras.layers.Dense(200),
    tf.keras.layers.Reshape((50, 4)),
])
model.compile("adam", "huber")
model.fit(train, steps_per_epoch=NUM_TRAIN // BATCH, epochs=24)
