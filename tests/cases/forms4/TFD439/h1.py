import tensorflow as tf


def parse(index, record):
    example = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    seed = tf.stack([index, tf.constant(0, tf.int64)])
    image = tf.io.decode_jpeg(example["image"], channels=3)
    image = tf.image.resize(image, (256, 256)) / 255.0
    image = tf.image.stateless_random_crop(image, (224, 224, 3), seed=seed)
    return tf.image.stateless_random_flip_left_right(image, seed=seed + 1), example["label"]


def training_data(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1000).repeat().enumerate()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.applications.ResNet50(weights=None, classes=100)
    model.compile("adam", "sparse_categorical_crossentropy")
    batches = iter(training_data("train/*.tfrecord"))
    checkpoint = tf.train.Checkpoint(model=model, batches=batches)
    for step in range(100_000):
        images, labels = next(batches)
        model.train_on_batch(images, labels)
        if step % 5000 == 0:
            checkpoint.save("runs/resnet")


if __name__ == "__main__":
    main()
