import numpy as np
import tensorflow as tf
from sklearn.metrics import roc_auc_score


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (256, 256))
    return image, tf.cast(tf.strings.regex_full_match(path, r".*/cracked/.*"), tf.int32)


files = tf.data.Dataset.list_files("concrete/test/*/*.jpg")
test = files.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
test = test.batch(64).prefetch(tf.data.AUTOTUNE)

detector = tf.keras.models.load_model("detector.keras")
scores = detector.predict(test).squeeze()
truth = np.fromiter((int(label) for _, label in test.unbatch()), dtype="int32")
print("AUC", roc_auc_score(truth, scores))
