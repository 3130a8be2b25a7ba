import glob
import os

import tensorflow as tf

IMAGE_SIZE = (224, 224)
BATCH_SIZE = 128
PREFETCH_BUFFER = 500
CLASSES = sorted(os.listdir("/data/birds/train"))


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, IMAGE_SIZE)
    return image / 255.0, label


def listing(split):
    paths, labels = [], []
    for idx, name in enumerate(CLASSES):
        found = glob.glob(os.path.join("/data/birds", split, name, "*.jpg"))
        paths.extend(found)
        labels.extend([idx] * len(found))
    return paths, labels


def dataset(split, training):
    paths, labels = listing(split)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(BATCH_SIZE)
    return ds.prefetch(buffer_size=PREFETCH_BUFFER)


def main():
    base = tf.keras.applications.MobileNetV2(include_top=False, pooling="avg")
    base.trainable = False
    model = tf.keras.Sequential(
        [base, tf.keras.layers.Dropout(0.2), tf.keras.layers.Dense(len(CLASSES), activation="softmax")]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(dataset("train", True), validation_data=dataset("val", False), epochs=10)


if __name__ == "__main__":
    main()
