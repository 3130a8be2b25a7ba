"""Speaker identification: pick an input pipeline by name and train."""
import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("dataset", "voxceleb", "name of the input pipeline")
flags.DEFINE_integer("batch_size", 128, "utterances in a batch")
flags.DEFINE_integer("steps_per_epoch", 4000, "steps")

PIPELINES = {}


def register(name):
    def wrap(fn):
        PIPELINES[name] = fn
        return fn
    return wrap


def spectrogram(record):
    ex = tf.io.parse_single_example(record, {
        "wav": tf.io.FixedLenFeature([], tf.string),
        "speaker": tf.io.FixedLenFeature([], tf.int64),
    })
    audio, _ = tf.audio.decode_wav(ex["wav"], desired_channels=1, desired_samples=48000)
    stft = tf.signal.stft(tf.squeeze(audio, -1), 400, 160, 512)
    return tf.math.log(tf.abs(stft) + 1e-6)[..., tf.newaxis], ex["speaker"]


@register("voxceleb")
def voxceleb(batch_size):
    names = tf.io.gfile.glob("/data/voxceleb/train-*.tfrecord")
    ds = tf.data.TFRecordDataset(names, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(20000)
    ds = ds.map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.repeat()


def main(_):
    train = PIPELINES[FLAGS.dataset](FLAGS.batch_size)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 5, strides=2, activation="relu", input_shape=(298, 257, 1)),
        tf.keras.layers.Conv2D(128, 5, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(256, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1251),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, epochs=25, steps_per_epoch=FLAGS.steps_per_epoch)


if __name__ == "__main__":
    app.run(main)
