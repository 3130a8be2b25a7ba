import tensorflow as tf

v1 = tf.compat.v1


def conv_fixed_padding(inputs, filters, kernel_size, strides, data_format):
    return v1.layers.conv2d(
        inputs=inputs, filters=filters, kernel_size=kernel_size, strides=strides, padding="SAME",
        use_bias=False, kernel_initializer=v1.variance_scaling_initializer(), data_format=data_format)


def batch_norm(inputs, training, data_format):
    return v1.layers.batch_normalization(
        inputs, axis=1 if data_format == "channels_first" else 3, training=training, fused=True)


def model_fn(features, labels, mode, params):
    training = mode == tf.estimator.ModeKeys.TRAIN
    data_format = params.get("data_format")
    if data_format is None:
        data_format = "channels_first" if tf.test.is_built_with_cuda() else "channels_last"
    net = features
    if data_format == "channels_first":
        net = tf.transpose(net, [0, 3, 1, 2])
    for filters in (64, 128, 256, 512):
        net = conv_fixed_padding(net, filters, 3, 2, data_format)
        net = tf.nn.relu(batch_norm(net, training, data_format))
    axes = [2, 3] if data_format == "channels_first" else [1, 2]
    logits = v1.layers.dense(tf.reduce_mean(net, axes), params["classes"])
    loss = v1.losses.sparse_softmax_cross_entropy(labels, logits)
    optimizer = v1.train.MomentumOptimizer(0.1, 0.9)
    optimizer = v1.mixed_precision.enable_mixed_precision_graph_rewrite(optimizer)
    with tf.control_dependencies(v1.get_collection(v1.GraphKeys.UPDATE_OPS)):
        train_op = optimizer.minimize(loss, v1.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn(pattern, batch):
    def parse(value):
        ex = tf.io.parse_single_example(value, {"image/encoded": tf.io.FixedLenFeature([], tf.string),
                                                "image/class/label": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.image.resize(tf.io.decode_jpeg(ex["image/encoded"], channels=3), (224, 224))
        return tf.image.random_flip_left_right(image) - 127.5, ex["image/class/label"]

    ds = tf.data.Dataset.list_files(pattern).repeat()
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=10, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    estimator = tf.estimator.Estimator(model_fn, "/models/resnet", params={"classes": 1001})
    estimator.train(lambda: input_fn("/data/imagenet/train-*", 256), max_steps=450_000)
