import cv2
import tensorflow as tf

SIZE = 320


def cv_load(path):
    img = cv2.imread(path.numpy().decode())
    img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)
    return cv2.resize(img, (SIZE, SIZE)).astype("float32") / 255.0


def fix_shape(img, label):
    return tf.ensure_shape(img, (SIZE, SIZE, 3)), label


with open("/data/defects/train.txt") as fh:
    rows = [line.split() for line in fh]
paths, labels = [r[0] for r in rows], [int(r[1]) for r in rows]

ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
ds = ds.map(
    lambda p, y: (tf.py_function(cv_load, [p], tf.float32), y),
    num_parallel_calls=tf.data.AUTOTUNE,
)
ds = ds.map(fix_shape, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(24).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.EfficientNetV2B0(
    weights=None, classes=6, input_shape=(SIZE, SIZE, 3), include_preprocessing=False)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=40)
