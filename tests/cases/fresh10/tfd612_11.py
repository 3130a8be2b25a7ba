"""CenterNet-style detector training on COCO."""
from absl import app, flags, logging
import tensorflow as tf
import tensorflow_datasets as tfds

FLAGS = flags.FLAGS
flags.DEFINE_integer("epochs", 50, "")
flags.DEFINE_integer("batch", 32, "")
flags.DEFINE_bool("fp16", True, "")

SIZE, STRIDE, CLASSES = 512, 4, 80


def init_runtime():
    for g in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(g, True)
    if FLAGS.fp16:
        tf.keras.mixed_precision.set_global_policy("mixed_float16")
    tf.config.run_functions_eagerly(True)
    logging.info("TF %s", tf.__version__)


def heatmap(ex):
    img = tf.image.resize(ex["image"], (SIZE, SIZE)) / 255.0
    box, lab = ex["objects"]["bbox"], ex["objects"]["label"]
    n = SIZE // STRIDE
    cy = tf.cast((box[:, 0] + box[:, 2]) / 2 * (n - 1), tf.int64)
    cx = tf.cast((box[:, 1] + box[:, 3]) / 2 * (n - 1), tf.int64)
    idx = tf.stack([cy, cx, lab], -1)
    hm = tf.scatter_nd(idx, tf.ones_like(lab, tf.float32), (n, n, CLASSES))
    return img, tf.minimum(hm, 1.0)


def coco(batch):
    ds = tfds.load("coco/2017", split="train", shuffle_files=True)
    ds = ds.shuffle(2000).map(heatmap, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build():
    base = tf.keras.applications.ResNet50(include_top=False, input_shape=(SIZE, SIZE, 3))
    x = base.output
    for ch in (256, 128, 64):
        x = tf.keras.layers.Conv2DTranspose(ch, 4, 2, padding="same", activation="relu")(x)
    return tf.keras.Model(base.input, tf.keras.layers.Conv2D(
        CLASSES, 1, activation="sigmoid", dtype="float32")(x))


def main(_):
    init_runtime()
    model = build()
    model.compile(tf.keras.optimizers.Adam(5e-4),
                  tf.keras.losses.BinaryFocalCrossentropy(gamma=2.0))
    model.fit(coco(FLAGS.batch), epochs=FLAGS.epochs)
    model.save("centernet.keras")


if __name__ == "__main__":
    app.run(main)
