import argparse

import tensorflow as tf

MASK_ID = 103
SEQ_LEN = 128


def build_masker(args):
    def mask_tokens(features):
        ids = features["input_ids"]
        draw = tf.random.stateless_uniform(tf.shape(ids), seed=[args.seed, 1])
        chosen = (draw < args.mask_rate) & (ids > 999)
        inputs = tf.where(chosen, tf.constant(MASK_ID, ids.dtype), ids)
        return inputs, ids, tf.cast(chosen, tf.float32)

    return mask_tokens


def parse(serialized):
    spec = {"input_ids": tf.io.FixedLenFeature([SEQ_LEN], tf.int64)}
    return tf.io.parse_single_example(serialized, spec)


def pretraining_data(args):
    files = tf.data.Dataset.list_files(args.input, shuffle=True, seed=args.seed)
    ds = files.interleave(
        lambda f: tf.data.TFRecordDataset(f, buffer_size=8 << 20),
        cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000, seed=args.seed).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(build_masker(args), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(args.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", default="/data/wiki/part-*.tfrecord")
    parser.add_argument("--batch_size", type=int, default=256)
    parser.add_argument("--mask_rate", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=12345)
    args = parser.parse_args()

    inputs = tf.keras.Input([SEQ_LEN], dtype="int64")
    x = tf.keras.layers.Embedding(30522, 256)(inputs)
    x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256, return_sequences=True))(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(30522)(x))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(pretraining_data(args), steps_per_epoch=10_000, epochs=10)


if __name__ == "__main__":
    main()
