import argparse

import tensorflow as tf


def speech(pattern, batch):
    spec = {"mel": tf.io.FixedLenFeature([128 * 80], tf.float32),
            "word": tf.io.FixedLenFeature([], tf.int64)}

    def parse(records):
        ex = tf.io.parse_example(records, spec)
        return tf.reshape(ex["mel"], [-1, 128, 80]), ex["word"]

    files = tf.data.Dataset.list_files(pattern)
    return (files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(8192)
            .batch(batch, drop_remainder=True)
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="/data/speech_commands/*.tfrecord")
    ap.add_argument("--logdir", default="/tmp/prof")
    ap.add_argument("--steps", type=int, default=200)
    a = ap.parse_args()
    model = tf.keras.Sequential([
        tf.keras.Input((128, 80)),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GRU(128),
        tf.keras.layers.Dense(35),
    ])
    opt = tf.keras.optimizers.Adam()
    lossf = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function(jit_compile=False)
    def train(x, y):
        with tf.GradientTape() as tape:
            loss = lossf(y, model(x, training=True))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables),
                                model.trainable_variables))
        return loss

    data = speech(a.data, 256)
    step = 0
    with tf.profiler.experimental.Profile(a.logdir):
        for mel, word in data:
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                train(mel, word)
            step += 1
            if step == a.steps:
                break


if __name__ == "__main__":
    main()
