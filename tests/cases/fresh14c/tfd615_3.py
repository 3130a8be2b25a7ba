import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
SPEC = {
    "patch": tf.io.FixedLenFeature([], tf.string),
    "height": tf.io.FixedLenFeature([1], tf.float32),
}
PER_REPLICA = 64


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    patch = tf.io.decode_png(ex["patch"], channels=3)
    return tf.ensure_shape(patch, [64, 64, 3]), ex["height"]


def scale(patches, heights):
    return tf.cast(patches, tf.float32) / 255.0, heights


def dataset(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(10_000).map(parse, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.map(scale, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def build():
    layers = [tf.keras.Input([64, 64, 3])]
    for width in (32, 64, 128):
        layers.append(tf.keras.layers.Conv2D(width, 3, strides=2, activation="relu"))
    return tf.keras.Sequential(layers + [tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])


def main(epochs=10):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    strategy = tf.distribute.MirroredStrategy()
    global_batch = PER_REPLICA * strategy.num_replicas_in_sync
    with strategy.scope():
        model = build()
        optimizer = tf.keras.optimizers.Adam(1e-3)

    def replica_step(patches, heights):
        with tf.GradientTape() as tape:
            errors = tf.square(model(patches, training=True) - heights)
            loss = tf.nn.compute_average_loss(errors[:, 0], global_batch_size=global_batch)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    @tf.function
    def train_step(patches, heights):
        losses = strategy.run(replica_step, args=(patches, heights))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    train = strategy.experimental_distribute_dataset(dataset("canopy/train-*.tfrecord", global_batch))
    for epoch in range(epochs):
        total, steps = tf.constant(0.0), 0
        for patches, heights in train:
            total += train_step(patches, heights)
            steps += 1
        print(epoch, float(total) / max(steps, 1))
    model.save("canopy.keras")


if __name__ == "__main__":
    main()
