import tensorflow as tf


def datasets(root, size, batch_size=32):
    return tf.keras.utils.image_dataset_from_directory(
        root,
        label_mode="categorical",
        validation_split=0.2,
        subset="both",
        seed=1,
        image_size=size,
        batch_size=batch_size,
    )


def network(size, classes):
    base = tf.keras.applications.EfficientNetB0(
        include_top=False, pooling="avg", input_shape=(*size, 3)
    )
    base.trainable = False
    return tf.keras.Sequential([base, tf.keras.layers.Dense(classes)])


def main():
    size = (224, 224)
    train, val = datasets("minerals", size)
    model = network(size, len(train.class_names))
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-3),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    model.fit(
        train.prefetch(tf.data.AUTOTUNE), validation_data=val.prefetch(tf.data.AUTOTUNE), epochs=5
    )


if __name__ == "__main__":
    main()
