import tensorflow as tf

IMG, BATCH, EPOCHS = 224, 64, 50
trunk = tf.keras.applications.EfficientNetB3(
    include_top=False, weights="imagenet", pooling="avg", input_shape=(IMG, IMG, 3)
)
trunk.trainable = False


def embed(images, labels):
    return trunk(images, training=False), labels


def folder(split):
    ds = tf.keras.utils.image_dataset_from_directory(
        f"/data/mushrooms/{split}",
        image_size=(IMG, IMG),
        batch_size=BATCH,
        shuffle=split == "train",
    )
    return ds.map(embed, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def top(classes):
    return tf.keras.Sequential([
        tf.keras.Input((1536,)),
        tf.keras.layers.Dropout(0.3),
        tf.keras.layers.Dense(classes),
    ])


if __name__ == "__main__":
    train, val = folder("train"), folder("val")
    model = top(9)
    model.compile(
        optimizer=tf.keras.optimizers.AdamW(1e-3),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(
        train,
        validation_data=val,
        epochs=EPOCHS,
        callbacks=[tf.keras.callbacks.ModelCheckpoint("/models/mushroom.keras", save_best_only=True)],
    )
