import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("classifier.keras")
paths = sorted(tf.io.gfile.glob("inbox/*.jpg"))


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0


ds = tf.data.Dataset.from_tensor_slices(paths)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

classes = []
for image in ds:
    scores = model.predict(image[tf.newaxis, ...], verbose=0)
    classes.append(int(np.argmax(scores[0])))

with open("classes.csv", "w") as out:
    for path, c in zip(paths, classes):
        out.write(f"{path},{c}\n")
