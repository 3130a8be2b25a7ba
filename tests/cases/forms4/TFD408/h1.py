import glob

import tensorflow as tf

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(example["image"], channels=3)
    image = tf.image.resize(image, (160, 160)) / 255.0
    return image, example["label"]


files = sorted(glob.glob("records/test-*.tfrecord"))
test = tf.data.TFRecordDataset(files)
test = test.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
test = test.batch(32)
test = test.prefetch(tf.data.AUTOTUNE)

model = tf.keras.models.load_model("classifier.keras")
print(model.evaluate(test, return_dict=True))
print(model.predict(test).argmax(axis=-1))
