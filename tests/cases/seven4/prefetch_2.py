import tensorflow as tf

STAGES = [
    {"op": "shards", "pattern": "/data/openimages/train-*.tfrecord", "readers": 16},
    {"op": "shuffle", "size": 16_384},
    {"op": "decode", "side": 224},
    {"op": "batch", "size": 128},
]


def decoder(side):
    def decode(record):
        ex = tf.io.parse_single_example(record, {"jpeg": tf.io.FixedLenFeature([], tf.string),
                                                 "labels": tf.io.VarLenFeature(tf.int64)})
        image = tf.image.resize(tf.io.decode_jpeg(ex["jpeg"], channels=3), (side, side)) / 255.0
        hot = tf.reduce_max(tf.one_hot(tf.sparse.to_dense(ex["labels"]), 601), axis=0)
        return image, hot
    return decode


def build(stages):
    ds = None
    for stage in stages:
        match stage:
            case {"op": "shards", "pattern": pattern, "readers": readers}:
                ds = tf.data.Dataset.list_files(pattern)
                ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=readers,
                                   num_parallel_calls=tf.data.AUTOTUNE)
            case {"op": "shuffle", "size": size}:
                ds = ds.shuffle(size)
            case {"op": "decode", "side": side}:
                ds = ds.map(decoder(side), num_parallel_calls=tf.data.AUTOTUNE)
            case {"op": "batch", "size": size}:
                ds = ds.batch(size, drop_remainder=True)
    return ds


model = tf.keras.applications.ResNet50(weights=None, classes=601, classifier_activation=None)
optimizer = tf.keras.optimizers.Adam(1e-3)
optimizer.build(model.trainable_variables)


@tf.function
def run_epoch(dataset):
    total, count = 0.0, 0.0
    for images, hot in dataset:
        with tf.GradientTape() as tape:
            logits = model(images, training=True)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(hot, logits))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        total, count = total + loss, count + 1.0
    return total / count


train = build(STAGES)
for epoch in range(60):
    tf.print("epoch", epoch, "loss", run_epoch(train))
