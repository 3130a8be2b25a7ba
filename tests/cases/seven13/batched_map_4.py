# Scene recognition with label smoothing + mixup, exported from places.ipynb

# %%
import glob
import os

import tensorflow as tf

BATCH, CLASSES, EPOCHS = 128, 365, 25
PATHS = sorted(glob.glob("/data/places_small/*/*.jpg"))
NAMES = sorted({os.path.basename(os.path.dirname(p)) for p in PATHS})
LABELS = [NAMES.index(os.path.basename(os.path.dirname(p))) for p in PATHS]

# %%
def decode(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.cast(tf.image.resize(img, [192, 192]), tf.uint8), label


def smooth_labels(img, label, eps=0.1):
    target = tf.one_hot(label, CLASSES, on_value=1.0 - eps, off_value=eps / (CLASSES - 1))
    return tf.image.convert_image_dtype(img, tf.float32), target


def mixup(images, targets):
    lam = tf.random.uniform([tf.shape(images)[0], 1])
    lam = tf.maximum(lam, 1.0 - lam)
    perm = tf.random.shuffle(tf.range(tf.shape(images)[0]))
    lam4 = lam[:, :, None, None]
    return (lam4 * images + (1 - lam4) * tf.gather(images, perm),
            lam * targets + (1 - lam) * tf.gather(targets, perm))

# %%
base = tf.data.Dataset.from_tensor_slices((PATHS, LABELS))
base = base.map(decode, num_parallel_calls=tf.data.AUTOTUNE).cache("/nvme/places")

train = (
    base.shuffle(20_000)
    .map(
        smooth_labels,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    .batch(BATCH, drop_remainder=True)
    .map(mixup, num_parallel_calls=tf.data.AUTOTUNE)
    .prefetch(tf.data.AUTOTUNE)
)

# %%
net = tf.keras.applications.EfficientNetV2B0(weights=None, classes=CLASSES, input_shape=(192, 192, 3),
                                             include_preprocessing=False)
net.compile(tf.keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True), "categorical_crossentropy", ["accuracy"])
net.fit(train, epochs=EPOCHS, callbacks=[tf.keras.callbacks.TerminateOnNaN()])
