import dataclasses
import functools
import glob

import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")


@dataclasses.dataclass(frozen=True)
class HParams:
    size: int = 192
    holes: int = 1
    hole_size: int = 48
    batch_size: int = 128
    epochs: int = 90
    warmup_epochs: int = 5
    base_lr: float = 0.1


HP = HParams()
FEATURES = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record, size):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(example["image"], channels=3)
    return tf.image.resize(image, [size, size]) / 255.0, example["label"]


def cutout(image, label):
    rows = tf.range(HP.size)
    for _ in range(HP.holes):
        top, left = tf.unstack(tf.random.uniform([2], maxval=HP.size - HP.hole_size, dtype=tf.int32))
        in_rows = (rows >= top) & (rows < top + HP.hole_size)
        in_columns = (rows >= left) & (rows < left + HP.hole_size)
        hole = in_rows[:, None] & in_columns[None, :]
        image = tf.where(hole[..., None], 0.5, image)
    return image, label


def records(split):
    return tf.data.TFRecordDataset(glob.glob(f"data/imagewoof/{split}-*"), num_parallel_reads=8)


train_ds = (
    records("train")
    .shuffle(8000)
    .map(functools.partial(parse, size=HP.size), num_parallel_calls=tf.data.AUTOTUNE)
    .map(cutout)
    .batch(HP.batch_size, drop_remainder=True)
)
val_ds = (
    records("val")
    .map(functools.partial(parse, size=HP.size), num_parallel_calls=tf.data.AUTOTUNE)
    .batch(HP.batch_size)
    .prefetch(tf.data.AUTOTUNE)
)


def schedule(epoch):
    if epoch < HP.warmup_epochs:
        return HP.base_lr * (epoch + 1) / HP.warmup_epochs
    return HP.base_lr * 0.1 ** (epoch // 30)


backbone = tf.keras.applications.ResNet50(weights=None, include_top=False, pooling="avg")
model = tf.keras.Sequential(
    [
        tf.keras.Input((HP.size, HP.size, 3)),
        backbone,
        tf.keras.layers.Dense(10),
        tf.keras.layers.Activation("linear", dtype="float32"),
    ]
)
model.compile(
    tf.keras.optimizers.SGD(HP.base_lr, momentum=0.9),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(
    train_ds,
    validation_data=val_ds,
    epochs=HP.epochs,
    callbacks=[tf.keras.callbacks.LearningRateScheduler(schedule), tf.keras.callbacks.TensorBoard("runs/cutout")],
)
