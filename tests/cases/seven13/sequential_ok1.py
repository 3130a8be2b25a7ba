"""Food-101 training; all costly stages take the same keyword set."""
import pathlib

import tensorflow as tf

PARALLEL = dict(num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
DATA = pathlib.Path("/data/food-101")
CLASSES = (DATA / "meta" / "classes.txt").read_text().split()


def index(split):
    stems = (DATA / "meta" / f"{split}.txt").read_text().split()
    paths = [str(DATA / "images" / f"{s}.jpg") for s in stems]
    labels = [CLASSES.index(s.split("/")[0]) for s in stems]
    return tf.data.Dataset.from_tensor_slices((paths, labels)), len(stems)


def random_view(path, label):
    jpeg = tf.io.read_file(path)
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        tf.io.extract_jpeg_shape(jpeg), tf.zeros([1, 0, 4]),
        area_range=(0.2, 1.0), use_image_if_no_bounding_boxes=True)
    window = tf.stack([begin[0], begin[1], size[0], size[1]])
    return tf.image.resize(tf.image.decode_and_crop_jpeg(jpeg, window, 3), [256, 256]), label


def centre(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(tf.image.central_crop(img, 0.875), [256, 256]), label


def datasets(batch):
    raw, n = index("train")
    train = raw.shuffle(n).map(random_view, **PARALLEL).batch(batch).prefetch(tf.data.AUTOTUNE)
    raw, _ = index("test")
    test = raw.map(centre, **PARALLEL).batch(batch).cache("/scratch/food_test").prefetch(tf.data.AUTOTUNE)
    return train, test


train_ds, test_ds = datasets(128)
model = tf.keras.Sequential([
    tf.keras.applications.ConvNeXtTiny(include_top=False, weights=None, pooling="avg"),
    tf.keras.layers.Dense(len(CLASSES), activation="softmax"),
])
model.compile("adamw", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, validation_data=test_ds, epochs=90,
          callbacks=[tf.keras.callbacks.BackupAndRestore("/ckpt/food")])
