import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE

jitter = tf.keras.Sequential([
    tf.keras.layers.RandomFlip("horizontal"),
    tf.keras.layers.RandomRotation(0.1),
    tf.keras.layers.RandomZoom(0.2),
])


def prepare(ds, training, cache_file=""):
    """The usual stages of one split."""
    stages = [lambda d: d.map(lambda x, y: (x / 255.0, y), num_parallel_calls=AUTOTUNE)]
    if training:
        stages.append(lambda d: d.map(lambda x, y: (jitter(x, training=True), y),
                                      num_parallel_calls=AUTOTUNE))
    stages.append(lambda d: d.cache(cache_file))
    for stage in stages:
        ds = stage(ds)
    return ds.prefetch(AUTOTUNE)


def main():
    splits = {}
    for name in ("train", "validation"):
        raw = tf.keras.utils.image_dataset_from_directory(
            f"/data/pets/{name}", image_size=(180, 180), batch_size=32,
            shuffle=name == "train")
        splits[name] = prepare(raw, name == "train", f"/scratch/pets_{name}")
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(37, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(splits["train"], validation_data=splits["validation"], epochs=60)


if __name__ == "__main__":
    main()
