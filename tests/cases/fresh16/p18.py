"""Chest x-rays on four hosts; each host starts this script with its own TF_CONFIG."""
import csv
import json
import os

import tensorflow as tf

ROOT = "/mnt/nfs/cxr"
PER_REPLICA = 32
LABELS = 14


def index(split):
    paths, targets = [], []
    with open(f"{ROOT}/{split}.csv") as fh:
        for row in csv.DictReader(fh):
            paths.append(f"{ROOT}/png/{row['id']}.png")
            targets.append([float(row[f"l{i}"]) for i in range(LABELS)])
    return paths, targets


def radiograph(path, target):
    pixels = tf.io.decode_png(tf.io.read_file(path), channels=1, dtype=tf.uint16)
    pixels = tf.image.resize(tf.cast(pixels, tf.float32), [512, 512], antialias=True)
    pixels = tf.image.per_image_standardization(pixels)
    return tf.image.random_flip_left_right(pixels), target


def feed_for(paths, targets, global_batch):
    def feed(context):
        ds = tf.data.Dataset.from_tensor_slices((paths, targets))
        ds = ds.shard(context.num_input_pipelines, context.input_pipeline_id)
        ds = ds.shuffle(len(paths)).repeat()
        ds = ds.map(radiograph, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(context.get_per_replica_batch_size(global_batch), drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)

    return feed


def is_chief():
    task = json.loads(os.environ["TF_CONFIG"])["task"]
    return task["type"] == "chief" or task["index"] == 0


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    global_batch = PER_REPLICA * strategy.num_replicas_in_sync
    with strategy.scope():
        net = tf.keras.applications.DenseNet121(
            input_shape=(512, 512, 1), weights=None, classes=LABELS,
            classifier_activation="sigmoid")
        net.compile(tf.keras.optimizers.Adam(1e-4), "binary_crossentropy",
                    metrics=[tf.keras.metrics.AUC(multi_label=True, num_labels=LABELS)])
    paths, targets = index("train")
    train = strategy.distribute_datasets_from_function(
        feed_for(paths, targets, global_batch))
    net.fit(train, epochs=12, steps_per_epoch=len(paths) // global_batch,
            verbose=2 if is_chief() else 0)
    if is_chief():
        net.save("/mnt/nfs/cxr/model.keras")


if __name__ == "__main__":
    main()
