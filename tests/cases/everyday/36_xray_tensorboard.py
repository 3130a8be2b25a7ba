import datetime
import math
import os

import tensorflow as tf

DATA = os.environ["XRAY_DATA"]
BATCH_SIZE = 32
EPOCHS = 20
FINDINGS = ["atelectasis", "cardiomegaly", "effusion", "infiltration", "mass", "nodule", "pneumonia"]

train_files = sorted(tf.io.gfile.glob(os.path.join(DATA, "train-?????-of-?????")))
valid_files = sorted(tf.io.gfile.glob(os.path.join(DATA, "valid-?????-of-?????")))


def parse_xray(record):
    features = {
        "image": tf.io.FixedLenFeature((), tf.string),
        "findings": tf.io.FixedLenFeature((len(FINDINGS),), tf.int64),
    }
    parsed = tf.io.parse_single_example(record, features)
    image = tf.io.decode_png(parsed["image"], channels=1, dtype=tf.uint16)
    image = tf.image.resize(tf.cast(image, tf.float32) / 65535.0, (256, 256))
    return tf.image.grayscale_to_rgb(image), tf.cast(parsed["findings"], tf.float32)


train = tf.data.TFRecordDataset(train_files)
train = train.map(parse_xray)
train = train.shuffle(4 * 1024).batch(BATCH_SIZE)

valid = tf.data.TFRecordDataset(valid_files, num_parallel_reads=tf.data.AUTOTUNE)
valid = valid.map(parse_xray, num_parallel_calls=tf.data.AUTOTUNE).batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)


def cosine(epoch, lr):
    if epoch < 2:
        return 1e-4 * (epoch + 1)
    return 2e-4 * 0.5 * (1 + math.cos(math.pi * (epoch - 2) / (EPOCHS - 2)))


class LogLearningRate(tf.keras.callbacks.Callback):
    def __init__(self, folder):
        super().__init__()
        self.writer = tf.summary.create_file_writer(folder)

    def on_epoch_end(self, epoch, logs=None):
        with self.writer.as_default():
            tf.summary.scalar("learning_rate", self.model.optimizer.lr, step=epoch)


log_dir = "logs/" + datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
backbone = tf.keras.applications.DenseNet121(include_top=False, pooling="avg", input_shape=(256, 256, 3))
model = tf.keras.Sequential([backbone, tf.keras.layers.Dense(len(FINDINGS))])
model.compile(
    tf.keras.optimizers.Adam(),
    loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
    metrics=[tf.keras.metrics.AUC(multi_label=True, from_logits=True)],
)
model.fit(
    train,
    epochs=EPOCHS,
    validation_data=valid,
    callbacks=[
        tf.keras.callbacks.TensorBoard(log_dir, histogram_freq=1),
        tf.keras.callbacks.LearningRateScheduler(cosine),
        LogLearningRate(log_dir + "/lr"),
    ],
)
