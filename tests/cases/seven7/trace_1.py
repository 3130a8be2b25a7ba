"""Train a YOLOv3-ish detector with a custom loop. --profile writes a TensorBoard profile."""
import argparse
import os
import time

import tensorflow as tf

from yolo.losses import yolo_loss
from yolo.model import build_yolo

AUTO = tf.data.AUTOTUNE


def parse(rec, size):
    ex = tf.io.parse_single_example(rec, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "target": tf.io.FixedLenFeature([13 * 13 * 3 * 85], tf.float32)})
    img = tf.image.resize(tf.io.decode_jpeg(ex["jpeg"], channels=3), [size, size]) / 255.0
    return img, tf.reshape(ex["target"], [13, 13, 3, 85])


def input_pipeline(pattern, batch, size=416):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=AUTO)
    ds = ds.shuffle(4096)
    ds = ds.map(lambda r: parse(r, size), num_parallel_calls=AUTO)
    return ds.batch(batch, drop_remainder=True).prefetch(AUTO)


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="/data/coco/train-*.tfrecord")
    ap.add_argument("--logdir", default="runs/yolo")
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--epochs", type=int, default=100)
    ap.add_argument("--profile", action="store_true")
    return ap.parse_args()


def main():
    args = get_args()
    model = build_yolo(classes=80)
    opt = tf.keras.optimizers.SGD(1e-3, momentum=0.9)
    writer = tf.summary.create_file_writer(args.logdir)

    @tf.function
    def train_step(img, target):
        with tf.GradientTape() as tape:
            loss = yolo_loss(target, model(img, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    ds = input_pipeline(args.data, args.batch)
    global_step = 0
    for epoch in range(args.epochs):
        t0 = time.time()
        for img, target in ds:
            if args.profile and global_step == 200:
                tf.profiler.experimental.start(os.path.join(args.logdir, "prof"))
            loss = train_step(img, target)
            if args.profile and global_step == 260:
                tf.profiler.experimental.stop()
            if global_step % 100 == 0:
                with writer.as_default():
                    tf.summary.scalar("loss", loss, step=global_step)
            global_step += 1
        print(f"epoch {epoch}: {time.time() - t0:.1f}s loss {float(loss):.3f}")
        model.save_weights(os.path.join(args.logdir, f"e{epoch:03d}.weights.h5"))


if __name__ == "__main__":
    main()
