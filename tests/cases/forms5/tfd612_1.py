import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (299, 299)) / 255.0, label


def make_dataset(index, batch_size):
    paths, labels = zip(*(line.split(",") for line in open(index).read().splitlines()))
    ds = tf.data.Dataset.from_tensor_slices((list(paths), [int(l) for l in labels]))
    ds = ds.shuffle(len(paths)).map(load, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size).prefetch(AUTOTUNE)


def main():
    base = tf.keras.applications.InceptionV3(include_top=False, pooling="avg")
    base.trainable = False
    model = tf.keras.Sequential([base, tf.keras.layers.Dropout(0.3), tf.keras.layers.Dense(200)])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-3),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
        run_eagerly=True,
    )
    model.fit(
        make_dataset("/data/birds/train.csv", 64),
        validation_data=make_dataset("/data/birds/valid.csv", 64),
        epochs=20,
    )


if __name__ == "__main__":
    main()
