import argparse

import numpy as np
import tensorflow as tf
from PIL import Image, ImageOps


def pil_open(path):
    image = Image.open(path.decode()).convert("RGB")
    image = ImageOps.fit(ImageOps.exif_transpose(image), (299, 299))
    return np.asarray(image, dtype=np.float32) / 127.5 - 1.0


def tf_open(path):
    image = tf.io.decode_image(
        tf.io.read_file(path), channels=3, expand_animations=False)
    return tf.image.resize(image, (299, 299)) / 127.5 - 1.0


def get_loader(backend):
    match backend:
        case "pil":
            return lambda p: tf.numpy_function(pil_open, [p], Tout=tf.float32)
        case "tf":
            return tf_open
        case _:
            raise ValueError(backend)


def input_pipeline(args):
    loader = get_loader(args.backend)

    def load(path):
        image = loader(path)
        image.set_shape((299, 299, 3))
        return image

    paths = sorted(tf.io.gfile.glob(args.glob))
    ds = tf.data.Dataset.from_tensor_slices(paths)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(args.batch).prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--backend", default="pil", choices=["pil", "tf"])
    p.add_argument("--glob", default="/data/openimages/test/*.jpg")
    p.add_argument("--batch", type=int, default=128)
    args = p.parse_args()
    model = tf.keras.applications.InceptionV3(include_top=False, pooling="avg")
    np.save("features.npy", model.predict(input_pipeline(args)))


if __name__ == "__main__":
    main()
