import json
import os
import sys

import tensorflow as tf
import tensorflow_datasets as tfds

BUFFER_SIZE = 10000
PER_WORKER = 64
WORKERS = ["10.0.0.4:12345", "10.0.0.5:12345"]


def configure(index):
    os.environ["TF_CONFIG"] = json.dumps({
        "cluster": {"worker": WORKERS},
        "task": {"type": "worker", "index": index},
    })


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def make_datasets_unbatched(data_dir):
    # the download has been put into one record file
    path = os.path.join(data_dir, "mnist-train.tfrecord-00000-of-00001")
    builder = tfds.builder("mnist", data_dir=data_dir)
    dataset = tf.data.TFRecordDataset(path)
    dataset = dataset.map(builder.info.features.deserialize_example,
                          num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.map(lambda d: scale(d["image"], d["label"]),
                          num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.shuffle(BUFFER_SIZE).repeat()


def build_and_compile():
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main(index):
    configure(index)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    global_batch = PER_WORKER * len(WORKERS)
    train = make_datasets_unbatched("/data/mnist").batch(global_batch)
    train = train.prefetch(tf.data.AUTOTUNE)
    with strategy.scope():
        model = build_and_compile()
    model.fit(train, epochs=3, steps_per_epoch=60000 // global_batch)


if __name__ == "__main__":
    main(int(sys.argv[1]))
