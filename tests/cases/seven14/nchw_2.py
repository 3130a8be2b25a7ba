"""TPU training of a plain VGG on Places-like TFRecords."""
import os

import tensorflow as tf

tf.keras.backend.set_image_data_format("channels_first")


def connect():
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(os.environ.get("TPU_NAME", "local"))
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    return tf.distribute.TPUStrategy(resolver)


class Places:
    spec = {"image": tf.io.FixedLenFeature([], tf.string), "scene": tf.io.FixedLenFeature([], tf.int64)}

    def __init__(self, bucket):
        self.bucket = bucket

    def parse(self, raw):
        ex = tf.io.parse_single_example(raw, self.spec)
        img = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), [256, 256])
        img = tf.image.random_crop(img, [224, 224, 3])
        img = tf.image.random_flip_left_right(img)
        return tf.transpose(img, [2, 0, 1]) / 255.0, ex["scene"]

    def train(self, batch):
        files = tf.data.Dataset.list_files(f"{self.bucket}/train-*").repeat()
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=32,
                              num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.shuffle(16_384).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def vgg(classes):
    net = [tf.keras.Input((3, 224, 224))]
    for width, reps in ((64, 2), (128, 2), (256, 3), (512, 3)):
        net += [tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu") for _ in range(reps)]
        net.append(tf.keras.layers.MaxPooling2D())
    net += [tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(classes)]
    return tf.keras.Sequential(net)


def main():
    strategy = connect()
    with strategy.scope():
        model = vgg(365)
        model.compile(tf.keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True),
                      tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                      steps_per_execution=50)
    batch = 128 * strategy.num_replicas_in_sync
    model.fit(Places("gs://places-records/v2").train(batch), steps_per_epoch=1_800_000 // batch, epochs=40)


if __name__ == "__main__":
    main()
