import os

import cv2
import numpy as np
import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("root", "/data/ocr", "word images in root/words, labels in root/labels.txt")
flags.DEFINE_integer("batch_size", 128, "")
flags.DEFINE_float("lr", 1e-3, "")
CHARS = "abcdefghijklmnopqrstuvwxyz0123456789"


class OcrInput(object):
    H, W = 32, 160

    def __init__(self, root):
        with open(os.path.join(root, "labels.txt")) as f:
            pairs = [line.split() for line in f]
        self.files = [os.path.join(root, "words", p[0]) for p in pairs]
        self.texts = [p[1].lower() for p in pairs]
        self.table = tf.keras.layers.StringLookup(vocabulary=list(CHARS))

    def _distort(self, image):
        h, w = image.shape[:2]
        src = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
        dst = src + np.random.uniform(-4, 4, src.shape).astype(np.float32)
        out = cv2.warpPerspective(image, cv2.getPerspectiveTransform(src, dst), (w, h))
        return cv2.GaussianBlur(out, (3, 3), 0).astype(np.uint8)

    def _load(self, path, text):
        img = tf.io.decode_png(tf.io.read_file(path), channels=1)
        img = tf.cast(tf.image.resize(img, (self.H, self.W)), tf.uint8)
        img = tf.numpy_function(self._distort, [img], tf.uint8)
        img = tf.reshape(img, (self.H, self.W, 1))
        return tf.cast(img, tf.float32) / 255.0, self.table(tf.strings.bytes_split(text))

    def dataset(self, batch_size):
        ds = tf.data.Dataset.from_tensor_slices((self.files, self.texts))
        ds = ds.shuffle(100000)
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.padded_batch(batch_size, ([self.H, self.W, 1], [None]))
        return ds.prefetch(tf.data.AUTOTUNE)


def main(argv):
    from ocr.nets import crnn
    net = crnn(num_classes=len(CHARS) + 2)
    opt = tf.keras.optimizers.Adam(FLAGS.lr)

    @tf.function(reduce_retracing=True)
    def step(x, y):
        with tf.GradientTape() as tape:
            logits = net(x, training=True)
            n = tf.shape(x)[0]
            loss = tf.reduce_mean(tf.nn.ctc_loss(
                y, logits, tf.math.count_nonzero(y, 1), tf.fill([n], tf.shape(logits)[1]),
                logits_time_major=False, blank_index=-1))
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    for epoch in range(40):
        for x, y in OcrInput(FLAGS.root).dataset(FLAGS.batch_size):
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    app.run(main)
