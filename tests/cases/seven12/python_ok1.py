import tensorflow as tf


class ShardGenerator:
    """Generates shard paths and their labels."""

    def __init__(self, root):
        self.paths = sorted(tf.io.gfile.glob(f"{root}/*/*.jpg"))

    def __iter__(self):
        for path in self.paths:
            yield path, int(path.split("/")[-2])


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, label


def from_generator(gen, batch_size=128):
    paths, labels = zip(*gen)
    ds = tf.data.Dataset.from_tensor_slices((list(paths), list(labels)))
    ds = ds.shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    ds = from_generator(ShardGenerator("/data/food101"))
    model = tf.keras.applications.ResNet50(weights=None, classes=101)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ds, epochs=30)
