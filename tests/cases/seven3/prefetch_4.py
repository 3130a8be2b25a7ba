import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE
BATCH = {"train": 128, "validation": 256}
READ = tfds.ReadConfig(interleave_cycle_length=16)


def resize(example):
    image = tf.image.resize(example["image"], (160, 160))
    return {"image": image, "label": example["label"]}


def to_xy(batch):
    return batch["image"] / 127.5 - 1.0, batch["label"]


splits = {}
for split in ("train", "validation"):
    ds = tfds.load("places365_small", split=split,
                   shuffle_files=split == "train", read_config=READ)
    if split == "train":
        ds = ds.shuffle(10_000)
    splits[split] = (
        ds.map(resize, num_parallel_calls=AUTOTUNE)
        .batch(BATCH[split], num_parallel_calls=AUTOTUNE)
        .map(to_xy, num_parallel_calls=AUTOTUNE)
    )

model = tf.keras.applications.MobileNetV2(input_shape=(160, 160, 3), weights=None, classes=365)
model.compile(optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9),
              loss="sparse_categorical_crossentropy",
              metrics=["sparse_categorical_accuracy"])
model.fit(splits["train"], validation_data=splits["validation"], epochs=30)
print(model.evaluate(splits["validation"], return_dict=True))
