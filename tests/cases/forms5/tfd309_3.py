import argparse

import horovod.tensorflow.keras as hvd
import tensorflow as tf


def read_lines(files):
    return tf.data.TextLineDataset(files, compression_type="GZIP", num_parallel_reads=8)


def to_features(line):
    parts = tf.io.decode_csv(line, [0.0] * 40 + [0])
    return tf.stack(parts[:-1]), parts[-1]


def split_by_worker(ds):
    return ds.shard(hvd.size(), hvd.rank())


def train_input(args):
    files = sorted(tf.io.gfile.glob(args.pattern))
    ds = read_lines(files)
    ds = ds.map(to_features, num_parallel_calls=tf.data.AUTOTUNE)
    ds = split_by_worker(ds)
    ds = ds.shuffle(args.buffer)
    return ds.batch(args.batch_size, drop_remainder=True).prefetch(2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="hdfs:///clicks/day-*.csv.gz")
    parser.add_argument("--buffer", type=int, default=100_000)
    parser.add_argument("--batch-size", type=int, default=1024)
    args = parser.parse_args()

    hvd.init()
    model = tf.keras.Sequential([
        tf.keras.layers.Input((40,)),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    opt = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(1e-3 * hvd.size()))
    model.compile(opt, "binary_crossentropy")
    callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
    model.fit(train_input(args), epochs=3, callbacks=callbacks, verbose=hvd.rank() == 0)


if __name__ == "__main__":
    main()
