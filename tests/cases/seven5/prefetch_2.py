"""Food-101 with a frozen EfficientNet."""
import tensorflow as tf
import tensorflow_datasets as tfds

IMAGE_SIZE = 240
BATCH = 64
AUTO = tf.data.AUTOTUNE


def resize(image, label):
    image = tf.image.resize_with_pad(image, IMAGE_SIZE, IMAGE_SIZE)
    return image, label


def flip(image, label):
    return tf.image.random_flip_left_right(image), label


def pipeline(split, raw):
    ds = raw.map(resize, num_parallel_calls=AUTO)
    if split == "train":
        ds = ds.shuffle(2_000)
        ds = ds.map(flip, num_parallel_calls=AUTO)
    return ds.batch(BATCH)


raw, info = tfds.load(
    "food101",
    split={"train": "train", "validation": "validation"},
    as_supervised=True,
    shuffle_files=True,
    with_info=True,
)
data = {name: pipeline(name, ds) for name, ds in raw.items()}

base = tf.keras.applications.EfficientNetB1(include_top=False, pooling="avg")
base.trainable = False
model = tf.keras.Sequential([
    base,
    tf.keras.layers.Dropout(0.3),
    tf.keras.layers.Dense(info.features["label"].num_classes),
])
model.compile(
    optimizer=tf.keras.optimizers.Adam(1e-3),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(data["train"], validation_data=data["validation"], epochs=12)
model.save("/models/food101")
