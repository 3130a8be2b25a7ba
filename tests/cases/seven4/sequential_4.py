import json

import keras
import tensorflow as tf

CONFIG = json.loads("""
{
  "model": {"classes": 1081, "size": 299},
  "data": {"train": "/data/plantnet/train/*/*.jpg", "batch": 64, "shuffle": 20000},
  "optim": {"lr": 0.045, "epochs": 80}
}
""")


class Section(dict):
    __getattr__ = dict.__getitem__


cfg = {name: Section(values) for name, values in CONFIG.items()}
files = tf.io.gfile.glob(cfg["data"].train)
species = sorted({f.rsplit("/", 2)[1] for f in files})
table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(species, tf.range(len(species), dtype=tf.int64)), default_value=-1)


def plant(path):
    size = cfg["model"].size
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3, dct_method="INTEGER_ACCURATE")
    image = tf.image.resize_with_pad(image, size, size, antialias=True)
    image = tf.image.random_saturation(tf.image.random_flip_left_right(image), 0.8, 1.2)
    return image / 127.5 - 1.0, table.lookup(tf.strings.split(path, "/")[-2])


def train_dataset(data):
    ds = tf.data.Dataset.from_tensor_slices(files)
    ds = ds.shuffle(data.shuffle)
    ds = ds.map(plant, num_parallel_calls=data.get("workers"))
    ds = ds.batch(data.batch, drop_remainder=True)
    return ds.prefetch(data.get("prefetch", tf.data.AUTOTUNE))


model = keras.applications.InceptionV3(weights=None, classes=cfg["model"].classes)
schedule = keras.optimizers.schedules.ExponentialDecay(cfg["optim"].lr, 10_000, 0.94)
model.compile(keras.optimizers.RMSprop(schedule), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_dataset(cfg["data"]), epochs=cfg["optim"].epochs)
