import cv2
import numpy as np
import tensorflow as tf

MAX_BOXES = 20
BATCH = 2
STEPS = 1000


class DetectionFlow:
    """Yields one training sample after the other, for ever."""

    def __init__(self, roidbs, short_edge=600):
        self.roidbs = roidbs
        self.short_edge = short_edge
        self.rng = np.random.RandomState(7)

    def _load(self, roi):
        image = cv2.imread(roi["file_name"], cv2.IMREAD_COLOR)
        image = cv2.resize(image, (self.short_edge, self.short_edge)).astype("float32")
        boxes = np.zeros((MAX_BOXES, 4), dtype="float32")
        classes = np.zeros((MAX_BOXES,), dtype="int64")
        n = min(MAX_BOXES, len(roi["boxes"]))
        boxes[:n] = roi["boxes"][:n]
        classes[:n] = roi["class"][:n]
        return image, boxes, classes

    def __call__(self):
        while True:
            roi = self.roidbs[self.rng.randint(len(self.roidbs))]
            image, boxes, classes = self._load(roi)
            yield [image, boxes, classes, roi["file_name"]]


def make_dataset(roidbs):
    flow = DetectionFlow(roidbs)
    ds = tf.data.Dataset.from_generator(
        flow,
        output_types=(tf.float32, tf.float32, tf.int64, tf.string),
        output_shapes=((600, 600, 3), (MAX_BOXES, 4), (MAX_BOXES,), ()),
    )
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def train(roidbs, detector, optimizer):
    for step, (images, boxes, classes, names) in enumerate(make_dataset(roidbs).take(STEPS)):
        with tf.GradientTape() as tape:
            loss = detector.loss(images, boxes, classes)
        grads = tape.gradient(loss, detector.trainable_variables)
        optimizer.apply_gradients(zip(grads, detector.trainable_variables))
        if step % 50 == 0:
            print(step, float(loss), names[0].numpy())


if __name__ == "__main__":
    from detector import build_detector, load_roidbs

    train(load_roidbs("coco/train"), build_detector(), tf.keras.optimizers.SGD(0.01))
