import sys

import tensorflow as tf


def parse_example(proto):
    ctx = tf.io.parse_single_example(proto, {
        "ids": tf.io.VarLenFeature(tf.int64),
        "target": tf.io.FixedLenFeature([], tf.int64),
    })
    return {"ids": tf.sparse.to_dense(ctx["ids"])}, ctx["target"]


def evaluate(model_path, shards):
    model = tf.keras.models.load_model(model_path)
    test_ds = tf.data.TFRecordDataset(shards, num_parallel_reads=tf.data.AUTOTUNE)
    test_ds = test_ds.map(parse_example, num_parallel_calls=tf.data.AUTOTUNE)
    test_ds = test_ds.padded_batch(
        64, padded_shapes=({"ids": [None]}, []))
    results = model.evaluate(test_ds, return_dict=True)
    for name, value in results.items():
        print(f"{name}: {value:.4f}")


if __name__ == "__main__":
    evaluate(sys.argv[1], sorted(tf.io.gfile.glob(sys.argv[2])))
