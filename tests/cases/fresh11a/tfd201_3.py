import csv

import tensorflow as tf


def generate_pairs(path):
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            yield row["file"], int(row["label"])


def dataset_from_pairs(generator, batch_size, training):
    files, labels = zip(*generator)
    ds = tf.data.Dataset.from_tensor_slices((list(files), list(labels)))
    if training:
        ds = ds.shuffle(len(files))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, label


def main():
    train = dataset_from_pairs(generate_pairs("train.csv"), 64, True)
    valid = dataset_from_pairs(generate_pairs("valid.csv"), 64, False)
    model = tf.keras.applications.MobileNetV2(weights=None, classes=50)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, validation_data=valid, epochs=25)


if __name__ == "__main__":
    main()
