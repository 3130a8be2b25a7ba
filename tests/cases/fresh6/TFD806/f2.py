import os

import tensorflow as tf

SPEC = {"png": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


class Config:
    data_dir = "./data/records"
    tpu = "grpc://10.240.1.2:8470"
    per_core_batch = 128


def connect(address):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(address)
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    return tf.distribute.TPUStrategy(resolver)


def parse(record):
    f = tf.io.parse_single_example(record, SPEC)
    image = tf.ensure_shape(tf.io.decode_png(f["png"], channels=3), (96, 96, 3))
    return tf.cast(image, tf.float32) / 255.0, tf.cast(f["label"], tf.int32)


def inputs(config, replicas):
    names = [os.path.join(config.data_dir, f"train-{i:02d}.tfrecord") for i in range(64)]
    ds = tf.data.Dataset.from_tensor_slices(names).shuffle(64)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(8000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(config.per_core_batch * replicas, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


strategy = connect(Config.tpu)
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(inputs(Config, strategy.num_replicas_in_sync), epochs=10)
