"""YOLO-like head with a custom loss; training via fit."""
import tensorflow as tf

GRID, BOXES, CLASSES = 13, 5, 20


def yolo_loss(y_true, y_pred):
    mask = y_true[..., 4:5]
    xy = tf.reduce_sum(mask * tf.square(y_true[..., :2] - tf.sigmoid(y_pred[..., :2])))
    wh = tf.reduce_sum(mask * tf.square(y_true[..., 2:4] - y_pred[..., 2:4]))
    obj = tf.nn.sigmoid_cross_entropy_with_logits(y_true[..., 4], y_pred[..., 4])
    cls = tf.nn.sigmoid_cross_entropy_with_logits(y_true[..., 5:], y_pred[..., 5:])
    return 5.0 * (xy + wh) + tf.reduce_sum(obj) + tf.reduce_sum(mask * cls)


class DetectorBuilder:
    def __init__(self):
        self._backbone = None
        self._lr = 1e-3

    def backbone(self, name):
        factory = getattr(tf.keras.applications, name)
        self._backbone = factory(include_top=False, input_shape=(416, 416, 3))
        return self

    def learning_rate(self, lr):
        self._lr = lr
        return self

    def build(self):
        x = tf.keras.layers.Conv2D(BOXES * (5 + CLASSES), 1)(self._backbone.output)
        x = tf.keras.layers.Reshape((GRID, GRID, BOXES, 5 + CLASSES))(x)
        model = tf.keras.Model(self._backbone.input, x)
        model.compile(tf.keras.optimizers.Adam(self._lr), yolo_loss)
        model.run_eagerly = True
        return model


def voc(batch_size=16):
    def parse(record):
        ex = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "target": tf.io.FixedLenFeature([GRID, GRID, BOXES, 5 + CLASSES], tf.float32)})
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        return tf.image.resize(image, [416, 416]) / 255.0, ex["target"]

    files = tf.io.gfile.glob("/data/voc/trainval-*.tfrecord")
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=8).shuffle(2000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    detector = DetectorBuilder().backbone("MobileNetV2").learning_rate(3e-4).build()
    detector.fit(voc(), epochs=120, callbacks=[tf.keras.callbacks.TerminateOnNaN()])
