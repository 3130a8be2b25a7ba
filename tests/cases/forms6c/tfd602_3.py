import argparse

import tensorflow as tf


def build_tower(units, dropout):
    model = tf.keras.models.Sequential()
    model.add(tf.keras.Input((39,)))
    for width in units:
        model.add(tf.keras.layers.Dense(width))
        model.add(tf.keras.layers.BatchNormalization())
        model.add(tf.keras.layers.Activation("swish"))
        if dropout > 0:
            model.add(tf.keras.layers.Dropout(dropout))
    model.add(tf.keras.layers.Dense(1))
    return model


def parse(records):
    parsed = tf.io.parse_example(records, {
        "features": tf.io.FixedLenFeature([39], tf.float32),
        "clicked": tf.io.FixedLenFeature([1], tf.float32),
    })
    return parsed["features"], parsed["clicked"]


def read(pattern, batch_size, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=not training)
    if training:
        ds = ds.shuffle(200_000)
    ds = ds.batch(batch_size, drop_remainder=training)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--units", type=int, nargs="+", default=[1024, 512, 256])
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--batch-size", type=int, default=4096)
    args = parser.parse_args()
    model = build_tower(args.units, args.dropout)
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.AUC(from_logits=True)])
    model.fit(read("/criteo/train-*", args.batch_size, True),
              validation_data=read("/criteo/test-*", args.batch_size, False), epochs=3)


if __name__ == "__main__":
    main()
