"""Sound event detection (FSD50K) with on-the-fly augmentation and log-mel."""
import os

from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("records", "/data/fsd50k/dev-*.tfrecord", "")
flags.DEFINE_string("workdir", "/exp/fsd50k", "")
flags.DEFINE_integer("batch", 64, "")

SR = 22050
CLIP = SR * 10


def read(rec):
    ex = tf.io.parse_single_example(rec, {
        "wav": tf.io.FixedLenFeature([], tf.string),
        "labels": tf.io.FixedLenFeature([200], tf.float32),
    })
    wav, _ = tf.audio.decode_wav(ex["wav"], desired_channels=1)
    return wav[:, 0], ex["labels"]


def augment(wav, labels):
    wav = tf.pad(wav, [[0, tf.maximum(0, CLIP - tf.size(wav))]])
    wav = tf.image.random_crop(wav, [CLIP])
    gain = tf.pow(10.0, tf.random.uniform([], -6.0, 6.0) / 20.0)
    wav = wav * gain + tf.random.normal([CLIP], stddev=0.003)
    spec = tf.abs(tf.signal.stft(wav, 1024, 256))
    mel_w = tf.signal.linear_to_mel_weight_matrix(128, 513, SR, 40.0, 10000.0)
    mel = tf.math.log(tf.matmul(tf.square(spec), mel_w) + 1e-5)
    # SpecAugment: one frequency stripe.
    f0 = tf.random.uniform([], 0, 112, tf.int32)
    mask = tf.concat([tf.ones([f0]), tf.zeros([16]), tf.ones([112 - f0])], 0)
    return (mel * mask)[..., tf.newaxis], labels


def train_input():
    return (tf.data.Dataset.list_files(FLAGS.records)
            .interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(4096)
            .map(read, num_parallel_calls=tf.data.AUTOTUNE)
            .map(augment)
            .batch(FLAGS.batch, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE))


def crnn():
    inp = tf.keras.Input((None, 128, 1))
    x = inp
    for c in (64, 128, 256):
        x = tf.keras.layers.Conv2D(c, 3, padding="same", use_bias=False)(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.ReLU()(x)
        x = tf.keras.layers.AveragePooling2D(2)(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(200)(x))


def main(_):
    model = crnn()
    model.compile(tf.keras.optimizers.Adam(1e-3),
                  tf.keras.losses.BinaryCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.AUC(curve="PR", multi_label=True, from_logits=True)])
    model.fit(train_input(), epochs=100,
              callbacks=[tf.keras.callbacks.ModelCheckpoint(
                  os.path.join(FLAGS.workdir, "crnn_{epoch:03d}.keras"))])


if __name__ == "__main__":
    app.run(main)
