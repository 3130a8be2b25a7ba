import csv

import tensorflow as tf

model = tf.keras.models.load_model("/models/retina.keras")
paths = tf.io.gfile.glob("/data/incoming/*.jpg")


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (299, 299)) / 255.0


with open("scores.csv", "w", newline="") as out:
    writer = csv.writer(out)
    writer.writerow(["file", "grade"])
    for path in paths:
        image = load(path)
        scores = model(tf.expand_dims(image, 0), training=False)
        writer.writerow([path, int(tf.argmax(scores[0]))])
