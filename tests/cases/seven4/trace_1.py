import argparse

import keras
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def digits(path, batch):
    def parse(rows):
        ex = tf.io.parse_example(rows, {"strokes": tf.io.FixedLenFeature([196, 3], tf.float32),
                                        "class": tf.io.FixedLenFeature([], tf.int64)})
        return ex["strokes"], ex["class"]

    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(path), num_parallel_reads=AUTOTUNE)
    ds = ds.shuffle(100_000).repeat().batch(batch, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def main(args):
    model = keras.Sequential([
        keras.Input((196, 3)),
        keras.layers.Conv1D(64, 5, activation="relu"),
        keras.layers.Bidirectional(keras.layers.LSTM(256, return_sequences=True)),
        keras.layers.Bidirectional(keras.layers.LSTM(256)),
        keras.layers.Dense(345),
    ])
    optimizer = keras.optimizers.Adam(1e-3)
    optimizer.build(model.trainable_variables)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x, training=True)))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    ds = digits(args.data, args.batch)
    with tf.profiler.experimental.Profile(args.logdir):
        for step, (x, y) in zip(range(args.steps), ds):
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                loss = train_step(x, y)
            if step % 50 == 0:
                print(step, float(loss))


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--data", default="/data/quickdraw/train-*")
    cli.add_argument("--batch", type=int, default=1024)
    cli.add_argument("--steps", type=int, default=500)
    cli.add_argument("--logdir", default="/tmp/quickdraw")
    main(cli.parse_args())
