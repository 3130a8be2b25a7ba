"""Music tagging on precomputed embeddings."""
import enum

import tensorflow as tf
import keras


class Split(enum.Enum):
    TRAIN = "train"
    VALID = "valid"
    TEST = "test"


class Embeddings:
    def __init__(self, root, batch_size=256):
        self.root = root
        self.batch_size = batch_size

    @staticmethod
    def parse(record):
        ex = tf.io.parse_single_example(record, {
            "frames": tf.io.FixedLenFeature([60 * 128], tf.float32),
            "tags": tf.io.VarLenFeature(tf.int64),
        })
        tags = tf.reduce_max(tf.one_hot(tf.sparse.to_dense(ex["tags"]), 50), axis=0)
        return tf.reshape(ex["frames"], (60, 128)), tags

    def __getitem__(self, split):
        names = tf.io.gfile.glob(f"{self.root}/{split.value}-*.tfrecord")
        ds = tf.data.TFRecordDataset(names, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        match split:
            case Split.TRAIN:
                ds = ds.shuffle(25_000).cache()
            case Split.VALID:
                ds = ds.cache()
            case _:
                pass
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    data = Embeddings("/data/mtat-embeddings")
    model = keras.Sequential([
        keras.Input((60, 128)),
        keras.layers.Bidirectional(keras.layers.GRU(128)),
        keras.layers.Dense(50, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", [keras.metrics.AUC(multi_label=True, num_labels=50)])
    stop = keras.callbacks.EarlyStopping(patience=5, restore_best_weights=True)
    model.fit(data[Split.TRAIN], validation_data=data[Split.VALID], epochs=100, callbacks=[stop])
    model.evaluate(data[Split.TEST])


if __name__ == "__main__":
    main()
