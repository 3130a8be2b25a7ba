import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "jpg": tf.io.FixedLenFeature([], tf.string),
        "cls": tf.io.FixedLenFeature([], tf.int64),
    })
    img = tf.io.decode_jpeg(ex["jpg"], channels=3)
    return tf.image.resize(img, (224, 224)), ex["cls"]


def wds_split(urls, batch_size):
    ds = tf.data.Dataset.from_tensor_slices(urls)
    ds = ds.shuffle(len(urls))
    ds = ds.flat_map(
        lambda url: tf.data.TFRecordDataset(url).map(parse, num_parallel_calls=AUTO))
    ds = ds.shuffle(4096).batch(batch_size, drop_remainder=True)
    return ds.prefetch(AUTO)


urls = [f"gs://bucket/openimages/train-{i:05d}-of-01024.tfrecord" for i in range(1024)]
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.applications.ResNet101(weights=None, classes=600)
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
model.fit(wds_split(urls, 64 * strategy.num_replicas_in_sync), epochs=20)
