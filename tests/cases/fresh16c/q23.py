"""Find near-duplicate photos with CLIP-like embeddings."""
import argparse
import pathlib

import numpy as np
import tensorflow as tf

SIDE = 224


def decode(path):
    image = tf.io.decode_image(tf.io.read_file(path), channels=3, expand_animations=False)
    image = tf.image.resize(image, (SIDE, SIDE))
    return path, tf.keras.applications.mobilenet_v2.preprocess_input(image)


def collect(folder):
    paths = [str(p) for p in pathlib.Path(folder).rglob("*") if p.suffix.lower() in {".jpg", ".png"}]
    ds = tf.data.Dataset.from_tensor_slices(paths)
    return ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def embed_all(model, ds):
    names, vectors = [], []
    for path, image in ds:
        vec = model.predict(tf.expand_dims(image, 0), verbose=0)[0]
        names.append(path.numpy().decode())
        vectors.append(vec / np.linalg.norm(vec))
    return names, np.stack(vectors)


def pairs(names, vectors, threshold):
    sim = vectors @ vectors.T
    for i, j in zip(*np.where(np.triu(sim, 1) > threshold)):
        yield names[i], names[j], sim[i, j]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("folder")
    ap.add_argument("--threshold", type=float, default=0.96)
    args = ap.parse_args()

    model = tf.keras.applications.MobileNetV2(include_top=False, pooling="avg")
    names, vectors = embed_all(model, collect(args.folder))
    for a, b, s in pairs(names, vectors, args.threshold):
        print(f"{s:.3f}\t{a}\t{b}")


if __name__ == "__main__":
    main()
