import csv

import tensorflow as tf

SIZE = 224


class ImageTable:
    def __init__(self, rows):
        self.paths = [path for path, _ in rows]
        self.labels = [label for _, label in rows]

    @classmethod
    def from_generator(cls, generator):
        return cls(list(generator))

    def load(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [SIZE, SIZE])
        return image / 255.0, label

    def dataset(self, batch_size, training):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        if training:
            ds = ds.shuffle(len(self.paths))
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def rows(table, root):
    with open(table, newline="") as f:
        for row in csv.DictReader(f):
            yield f"{root}/{row['file']}", int(row["label"])


def main():
    root = "/data/birds"
    train = ImageTable.from_generator(rows(f"{root}/train.csv", f"{root}/img"))
    valid = ImageTable.from_generator(rows(f"{root}/valid.csv", f"{root}/img"))
    model = tf.keras.applications.MobileNetV2(weights=None, classes=200)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        train.dataset(64, True), validation_data=valid.dataset(64, False), epochs=25)


if __name__ == "__main__":
    main()
