import json

import tensorflow as tf

SIZE = [224, 224]


def load_image(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, SIZE) / 255.0, label


def load_split(annotations, root):
    with open(annotations) as f:
        records = json.load(f)["annotations"]
    images, labels = [], []
    for record in records:
        images.append(f"{root}/{record['file_name']}")
        labels.append(record["category_id"])
    return images, labels


def make_datasets(root, batch_size):
    datasets = {}
    for split in ("train", "val"):
        images, labels = load_split(f"{root}/{split}.json", f"{root}/{split}")
        ds = tf.data.Dataset.from_tensor_slices((images, labels))
        if split == "train":
            ds = ds.shuffle(len(labels))
        ds = ds.map(load_image, num_parallel_calls=tf.data.AUTOTUNE)
        datasets[split] = ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
    return datasets


if __name__ == "__main__":
    sets = make_datasets("/data/fungi", 64)
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=200)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(sets["train"], validation_data=sets["val"], epochs=30)
