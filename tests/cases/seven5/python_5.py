"""Chest X-rays on two GPUs, with the old ImageDataGenerator."""
import tensorflow as tf

SIZE = (320, 320)
GLOBAL_BATCH = 64


def flow(directory, training):
    if training:
        gen = tf.keras.preprocessing.image.ImageDataGenerator(
            rescale=1 / 255.0, rotation_range=8, zoom_range=0.1, horizontal_flip=True)
    else:
        gen = tf.keras.preprocessing.image.ImageDataGenerator(rescale=1 / 255.0)
    return gen.flow_from_directory(
        directory, target_size=SIZE, batch_size=GLOBAL_BATCH, class_mode="binary", shuffle=training)


def wrap(directory, training):
    iterator = flow(directory, training)
    steps = len(iterator)
    ds = tf.data.Dataset.from_generator(
        lambda: iterator,
        output_signature=(
            tf.TensorSpec((None, *SIZE, 3), tf.float32),
            tf.TensorSpec((None,), tf.float32),
        ),
    )
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    return ds.with_options(options).prefetch(tf.data.AUTOTUNE), steps


def main():
    train, train_steps = wrap("/data/xray/train", True)
    valid, valid_steps = wrap("/data/xray/valid", False)
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        base = tf.keras.applications.DenseNet121(
            include_top=False, pooling="avg", input_shape=(*SIZE, 3))
        model = tf.keras.Sequential([base, tf.keras.layers.Dense(1, activation="sigmoid")])
        model.compile(tf.keras.optimizers.Adam(1e-4), "binary_crossentropy", [tf.keras.metrics.AUC()])
    model.fit(
        train,
        steps_per_epoch=train_steps,
        validation_data=valid,
        validation_steps=valid_steps,
        epochs=15,
    )


if __name__ == "__main__":
    main()
