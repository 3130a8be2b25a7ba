import tensorflow as tf

ROOT = "/data/birds525"
SIZE = (224, 224)
BATCH = 128


def get(split, training):
    ds = tf.keras.utils.image_dataset_from_directory(
        f"{ROOT}/{split}",
        label_mode="int",
        image_size=SIZE,
        shuffle=training,
        seed=3,
    )
    names = ds.class_names
    ds = ds.unbatch()
    ds = ds.batch(BATCH, drop_remainder=training)
    return ds.prefetch(tf.data.AUTOTUNE), names


def build(classes):
    inp = tf.keras.Input((*SIZE, 3))
    x = tf.keras.layers.Rescaling(1 / 127.5, offset=-1)(inp)
    x = tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu")(x)
    for w in (64, 128, 256, 512):
        x = tf.keras.layers.SeparableConv2D(w, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes)(x))


if __name__ == "__main__":
    train, names = get("train", True)
    val, _ = get("valid", False)
    model = build(len(names))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, validation_data=val, epochs=20)
    model.save("/models/birds.keras")
