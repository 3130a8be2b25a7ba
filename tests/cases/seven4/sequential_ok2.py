import os

import tensorflow as tf

CPUS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 16
SHARDS, BLOCK = 12, 4


def crop(record):
    example = tf.io.parse_single_example(record, {
        "scan": tf.io.FixedLenFeature([], tf.string),
        "text": tf.io.FixedLenFeature([], tf.string),
    })
    line = tf.io.decode_png(example["scan"], channels=1)
    line = tf.image.resize_with_pad(line, 64, 1024)
    line = line + tf.random.normal(tf.shape(line), stddev=4.0)
    codes = tf.strings.unicode_decode(example["text"], "UTF-8")[:128]
    codes = tf.pad(codes, [[0, 128 - tf.size(codes)]])
    return line / 255.0, tf.ensure_shape(codes, (128,))


ds = tf.data.Dataset.list_files("/data/iam/lines-*.tfrecord")
ds = ds.interleave(tf.data.TFRecordDataset, SHARDS, BLOCK, tf.data.AUTOTUNE)
ds = ds.shuffle(4096)
ds = ds.map(crop, CPUS)
ds = ds.batch(32, True)
ds = ds.prefetch(4)

net = tf.keras.Sequential([
    tf.keras.Input((64, 1024, 1)),
    tf.keras.layers.Conv2D(64, 5, (2, 2), "same", activation="relu"),
    tf.keras.layers.Conv2D(128, 3, (2, 2), "same", activation="relu"),
    tf.keras.layers.Conv2D(256, 3, (2, 2), "same", activation="relu"),
    tf.keras.layers.Permute((2, 1, 3)),
    tf.keras.layers.Reshape((128, 8 * 256)),
    tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256, return_sequences=True)),
    tf.keras.layers.Dense(0x2000),
])
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def learn(lines, codes):
    with tf.GradientTape() as tape:
        logits = net(lines, training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(codes, logits))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


for epoch in range(100):
    for lines, codes in ds:
        loss = learn(lines, codes)
    print(epoch, float(loss))
