"""Horovod training on an image folder: the list of paths is split among ranks."""
import os

import horovod.tensorflow.keras as hvd
import tensorflow as tf

ROOT = os.environ.get("IMAGENET", "/data/imagenet/train")
CLASSES = tf.constant(sorted(os.listdir(ROOT))) if os.path.isdir(ROOT) else tf.constant([""])


def with_label(path):
    wnid = tf.strings.split(path, os.sep)[-2]
    return path, tf.argmax(tf.cast(CLASSES == wnid, tf.int32))


def read(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (256, 256))
    img = tf.image.random_crop(img, (224, 224, 3))
    img = tf.image.random_flip_left_right(img)
    return tf.keras.applications.resnet.preprocess_input(img), label


def dataset(paths, batch):
    ds = tf.data.Dataset.from_tensor_slices(paths)
    # only names so far, nothing has been opened
    ds = ds.map(with_label)
    ds = ds.shard(hvd.size(), hvd.rank())
    ds = ds.shuffle(len(paths) // hvd.size() + 1)
    ds = ds.repeat()
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    paths = sorted(tf.io.gfile.glob(os.path.join(ROOT, "*", "*.JPEG")))

    model = tf.keras.applications.ResNet50(weights=None, classes=len(CLASSES))
    opt = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size(), momentum=0.9))
    model.compile(opt, "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        dataset(paths, 128),
        steps_per_epoch=len(paths) // (128 * hvd.size()),
        epochs=90,
        callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)],
        verbose=1 if hvd.rank() == 0 else 0,
    )


if __name__ == "__main__":
    main()
