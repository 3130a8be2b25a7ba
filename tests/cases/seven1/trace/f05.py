import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH = 64 * strategy.num_replicas_in_sync


def decode(path, label):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (160, 160)) / 255.0, label


def input_dataset(paths, labels):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(GLOBAL_BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def run(paths, labels, epochs, classes):
    dist_ds = strategy.experimental_distribute_dataset(input_dataset(paths, labels))
    with strategy.scope():
        model = tf.keras.applications.DenseNet121(weights=None, input_shape=(160, 160, 3), classes=classes)
        optimizer = tf.keras.optimizers.Adam()
        loss_obj = tf.keras.losses.SparseCategoricalCrossentropy(reduction="none")

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            per_example = loss_obj(y, model(x, training=True))
            loss = tf.nn.compute_average_loss(per_example, global_batch_size=GLOBAL_BATCH)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply(grads, model.trainable_variables)
        return loss

    @tf.function
    def distributed_step(inputs):
        losses = strategy.run(replica_step, args=inputs)
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    step = 0
    for epoch in range(epochs):
        for inputs in dist_ds:
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                loss = distributed_step(inputs)
            step += 1
        print(epoch, float(loss))
