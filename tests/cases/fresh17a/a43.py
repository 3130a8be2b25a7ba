import tensorflow as tf

ROOT = "/data/traffic_signs"
SIDE, BATCH = 64, 128


def signs(split, training):
    ds = tf.keras.utils.image_dataset_from_directory(
        f"{ROOT}/{split}",
        label_mode="categorical",
        image_size=(SIDE, SIDE),
        batch_size=BATCH,
        shuffle=training,
        seed=21,
    )
    names = ds.class_names
    return ds.prefetch(tf.data.AUTOTUNE), names


def convnet(classes):
    inp = tf.keras.Input((SIDE, SIDE, 3))
    x = tf.keras.layers.Rescaling(1.0 / 255)(inp)
    for w in (32, 64, 128):
        x = tf.keras.layers.Conv2D(w, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.Flatten()(x)
    x = tf.keras.layers.Dropout(0.4)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes)(x))


def main():
    train, names = signs("train", True)
    val, _ = signs("val", False)
    model = convnet(len(names))
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1),
        metrics=["accuracy"],
    )
    model.fit(train, validation_data=val, epochs=20)


if __name__ == "__main__":
    main()
