"""Triplet-loss face recognition; the second epoch starts with a short profile."""
import argparse

import tensorflow as tf


class FaceNet:
    def __init__(self, lr):
        self.net = tf.keras.Sequential([
            tf.keras.applications.ResNet50(include_top=False, pooling="avg", input_shape=(112, 112, 3)),
            tf.keras.layers.Dense(128),
        ])
        self.optimizer = tf.keras.optimizers.Adam(lr)

    @tf.function
    def _update(self, images):
        a, p, n = tf.unstack(images, axis=1)
        with tf.GradientTape() as tape:
            e = tf.math.l2_normalize(self.net(tf.concat([a, p, n], 0), training=True), -1)
            a, p, n = tf.split(e, 3)
            near, far = (tf.reduce_sum(tf.square(a - x), -1) for x in (p, n))
            loss = tf.reduce_mean(tf.nn.relu(near - far + 0.2))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss

    def train_on(self, images, step):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            return self._update(images)


def triplets(pattern, batch_size):
    def decode(record):
        ex = tf.io.parse_single_example(record, {"jpeg": tf.io.FixedLenFeature([3], tf.string)})
        return tf.map_fn(
            lambda j: tf.image.resize(tf.io.decode_jpeg(j, channels=3), (112, 112)) / 255.0,
            ex["jpeg"], fn_output_signature=tf.TensorSpec((112, 112, 3), tf.float32))

    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def run(trainer, ds, args):
    step = 0
    for epoch in range(args.epochs):
        start = step
        for images in ds:
            if epoch == 1 and step == start:
                tf.profiler.experimental.start(args.logdir)
            loss = trainer.train_on(images, step)
            if epoch == 1 and step == start + 9:
                tf.profiler.experimental.stop()
            step += 1
        print(epoch, float(loss))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="/data/triplets/*.tfrecord")
    parser.add_argument("--logdir", default="/logs/facenet")
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()
    run(FaceNet(1e-4), triplets(args.data, 48), args)
