import pandas as pd
import tensorflow as tf

IMGSIZE = 256
AUTOTUNE = tf.data.AUTOTUNE
PATH = "/content/landmarks/"


def connect():
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    return tf.distribute.TPUStrategy(resolver)


def decode(path, label):
    image = tf.image.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [IMGSIZE, IMGSIZE]) / 255.0
    return tf.ensure_shape(image, (IMGSIZE, IMGSIZE, 3)), label


def full_path(name):
    return f"{PATH}train/{name[0]}/{name[1]}/{name[2]}/{name}.png"


def data_loading(table, batch):
    paths = [full_path(name) for name in table["image_id"]]
    labels = table["landmark_id"].astype("int32").to_numpy()
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths)).repeat()
    ds = ds.map(decode, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=True)
    return ds.prefetch(AUTOTUNE)


def build(classes):
    base = tf.keras.applications.EfficientNetB0(
        include_top=False, input_shape=(IMGSIZE, IMGSIZE, 3), pooling="avg")
    return tf.keras.Sequential([base, tf.keras.layers.Dense(classes)])


def main():
    tpu_strategy = connect()
    table = pd.read_csv(PATH + "train.csv")
    batch = 64 * tpu_strategy.num_replicas_in_sync
    with tpu_strategy.scope():
        model = build(int(table["landmark_id"].max()) + 1)
        model.compile(
            "adam",
            tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
    model.fit(data_loading(table, batch), epochs=5, steps_per_epoch=len(table) // batch)


if __name__ == "__main__":
    main()
