import tensorflow as tf

GLOBAL_BATCH = 256
EPOCHS = 30
STEPS_PER_EPOCH = 1_000
VAL_EXAMPLES = 25_600
AUTOTUNE = tf.data.AUTOTUNE


def parse(record):
    row = tf.io.parse_single_example(
        record,
        {"jpeg": tf.io.FixedLenFeature([], tf.string), "age": tf.io.FixedLenFeature([], tf.float32)},
    )
    image = tf.io.decode_jpeg(row["jpeg"], channels=3)
    return tf.image.resize(image, [128, 128]) / 255.0, row["age"]


def dataset(split, training):
    files = tf.data.Dataset.list_files(f"/data/faces/{split}-*", shuffle=training)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
    if training:
        ds = ds.shuffle(8_000).repeat()
    else:
        ds = ds.take(VAL_EXAMPLES)
    ds = ds.map(parse, num_parallel_calls=AUTOTUNE)
    return ds.batch(GLOBAL_BATCH).prefetch(AUTOTUNE)


def main():
    strategy = tf.distribute.MirroredStrategy()
    train_iter = iter(strategy.experimental_distribute_dataset(dataset("train", True)))
    val_iter = iter(strategy.experimental_distribute_dataset(dataset("val", False)))
    with strategy.scope():
        model = tf.keras.applications.MobileNetV2(
            input_shape=(128, 128, 3), weights=None, classes=1, classifier_activation=None
        )
        optimizer = tf.keras.optimizers.Adam()
        mae = tf.keras.metrics.MeanAbsoluteError()

    @tf.function
    def train_step(batch):
        def replica(images, ages):
            with tf.GradientTape() as tape:
                error = tf.squeeze(model(images, training=True), -1) - ages
                loss = tf.reduce_sum(tf.square(error)) / GLOBAL_BATCH
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))

        strategy.run(replica, args=batch)

    @tf.function
    def val_step(batch):
        def replica(images, ages):
            mae.update_state(ages, tf.squeeze(model(images, training=False), -1))

        strategy.run(replica, args=batch)

    for epoch in range(EPOCHS):
        for _ in range(STEPS_PER_EPOCH):
            train_step(next(train_iter))
        mae.reset_state()
        for _ in range(VAL_EXAMPLES // GLOBAL_BATCH):
            val_step(next(val_iter))
        print(epoch, float(mae.result()))


if __name__ == "__main__":
    main()
