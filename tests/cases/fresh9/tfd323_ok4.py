"""Predict the test set of a Kaggle competition and write a submission."""
import csv

import tensorflow as tf

CLASSES = 104


def decode(example):
    ex = tf.io.parse_single_example(example, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "id": tf.io.FixedLenFeature([], tf.string),
    })
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    image = tf.reshape(tf.cast(image, tf.float32) / 255.0, [331, 331, 3])
    return image, ex["id"]


def test_set(batch_size=128):
    files = tf.io.gfile.glob("/kaggle/input/flower-classification/test/*.tfrec")
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def predict(model, ds):
    @tf.function
    def infer(images):
        return tf.argmax(model(images, training=False), axis=-1)

    for images, ids in ds:
        classes = infer(images)
        for name, label in zip(ids.numpy(), classes.numpy()):
            yield name.decode(), int(label)


def main():
    model = tf.keras.models.load_model("/kaggle/input/weights/b7.h5")
    with open("submission.csv", "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(["id", "label"])
        for row in predict(model, test_set()):
            writer.writerow(row)


if __name__ == "__main__":
    main()
