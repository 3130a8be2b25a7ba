import json
import os

import tensorflow as tf


class FaceAges:
    def __init__(self, root, size=160):
        self.root = root
        self.size = size

    def index(self, split):
        paths, ages = [], []
        with open(os.path.join(self.root, f"{split}.jsonl")) as handle:
            for line in handle:
                row = json.loads(line)
                if row["blur"] > 0.6:
                    continue
                paths.append(os.path.join(self.root, "images", row["file"]))
                ages.append(float(row["age"]))
        return paths, ages

    def decode(self, path, age):
        raw = tf.io.read_file(path)
        face = tf.io.decode_jpeg(raw, channels=3)
        face = tf.image.resize(face, (self.size, self.size))
        return face / 127.5 - 1.0, age

    def dataset(self, split, batch_size=64):
        paths, ages = self.index(split)
        ds = tf.data.Dataset.from_tensor_slices((paths, ages))
        if split == "train":
            ds = ds.shuffle(len(paths))
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    data = FaceAges("/data/utkface")
    base = tf.keras.applications.MobileNetV3Small(
        include_top=False, pooling="avg", include_preprocessing=False
    )
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(1)])
    model.compile("adam", "mae")
    model.fit(data.dataset("train"), validation_data=data.dataset("valid"), epochs=12)


if __name__ == "__main__":
    main()
