"""Weather radar nowcasting."""
import argparse
import logging

import tensorflow as tf

log = logging.getLogger("nowcast")


def configure(args):
    tf.keras.utils.set_random_seed(args.seed)
    tf.config.threading.set_inter_op_parallelism_threads(args.threads)
    tf.config.threading.set_intra_op_parallelism_threads(args.threads)
    log.info("devices: %s", tf.config.list_physical_devices())


def radar(pattern, batch):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"seq": tf.io.FixedLenFeature([], tf.string)})
        seq = tf.reshape(tf.io.decode_raw(ex["seq"], tf.uint8), (12, 128, 128, 1))
        seq = tf.cast(seq, tf.float32) / 255.0
        return seq[:10], seq[10:]

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(2000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def nowcaster():
    inp = tf.keras.Input((10, 128, 128, 1))
    h = tf.keras.layers.ConvLSTM2D(32, 3, padding="same", return_sequences=False)(inp)
    h = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(h)
    h = tf.keras.layers.Conv2D(2, 3, padding="same", activation="sigmoid")(h)
    out = tf.keras.layers.Reshape((2, 128, 128, 1))(tf.keras.layers.Permute((3, 1, 2))(h))
    return tf.keras.Model(inp, out)


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--records", default="/data/radar/train-*.gz")
    cli.add_argument("--batch", type=int, default=16)
    cli.add_argument("--threads", type=int, default=1)
    cli.add_argument("--seed", type=int, default=0)
    opts = cli.parse_args()
    logging.basicConfig(level=logging.INFO)
    configure(opts)
    net = nowcaster()
    net.compile("adam", "binary_crossentropy")
    net.fit(radar(opts.records, opts.batch), epochs=25)
