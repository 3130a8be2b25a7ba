import tensorflow as tf
from dataclasses import dataclass, field


@dataclass
class Options:
    batch_size: int = 256
    map_kwargs: dict = field(default_factory=lambda: {
        "num_parallel_calls": tf.data.AUTOTUNE, "deterministic": False})


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, label


def flip(image, label):
    return tf.image.random_flip_left_right(image), label


def build(paths, labels, opts):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    for fn in (decode, flip):
        ds = ds.map(fn, **opts.map_kwargs)
    return ds.batch(opts.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    paths = sorted(tf.io.gfile.glob("/data/caltech256/*/*.jpg"))
    labels = [int(p.split("/")[-2][:3]) - 1 for p in paths]
    model = tf.keras.applications.ResNet50(weights=None, classes=257)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(build(paths, labels, Options()), epochs=40)


if __name__ == "__main__":
    main()
