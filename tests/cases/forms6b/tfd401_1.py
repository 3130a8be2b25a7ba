"""Fine-tune a flower classifier on file lists that were exported by the labelling tool."""
import argparse
import json
import pathlib

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
IMAGE_SIZE = (224, 224)


def load_image(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, IMAGE_SIZE)
    return image, label


def scale(images, labels):
    return tf.keras.applications.mobilenet_v2.preprocess_input(images), labels


def read_manifest(path):
    rows = json.loads(pathlib.Path(path).read_text())
    return [r["file"] for r in rows], [r["label"] for r in rows]


def build_datasets(args):
    datasets = {}
    for split in ("train", "val", "test"):
        paths, labels = read_manifest(f"{args.data_dir}/{split}.json")
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        if split == "train":
            ds = ds.shuffle(len(paths))
        ds = ds.map(load_image, num_parallel_calls=AUTOTUNE)
        datasets[split] = ds.batch(args.batch_size)

    for split, ds in datasets.items():
        ds = ds.map(scale, num_parallel_calls=AUTOTUNE)
    return {split: ds.prefetch(AUTOTUNE) for split, ds in datasets.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data_dir", required=True)
    parser.add_argument("--batch_size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()

    datasets = build_datasets(args)
    base = tf.keras.applications.MobileNetV2(input_shape=IMAGE_SIZE + (3,), include_top=False, pooling="avg")
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(102)])
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(datasets["train"], validation_data=datasets["val"], epochs=args.epochs)
    print(model.evaluate(datasets["test"], return_dict=True))


if __name__ == "__main__":
    main()
