from absl import app, flags
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

FLAGS = flags.FLAGS
flags.DEFINE_string("train_dir", "/data/scenes/train", "Training images.")
flags.DEFINE_string("test_dir", "/data/scenes/test", "Test images.")
flags.DEFINE_string("tmp_dir", "/tmp/scenes", "Place for cached images.")


def read(path):
    label = tf.strings.to_number(tf.strings.split(path, "_")[-2], tf.int32)
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.cast(tf.image.resize(image, [192, 192]), tf.uint8), label


def on_disk(ds):
    return ds.cache(f"{FLAGS.tmp_dir}/decoded")


def pipeline(directory, *, training, transforms=()):
    ds = Dataset.list_files(f"{directory}/*.jpg", shuffle=False)
    ds = ds.map(read, num_parallel_calls=AUTOTUNE)
    for transform in transforms:
        ds = ds.apply(transform)
    if training:
        ds = ds.shuffle(5000)
    return ds.batch(64, drop_remainder=training).prefetch(AUTOTUNE)


def main(_):
    tf.io.gfile.makedirs(FLAGS.tmp_dir)
    train = pipeline(FLAGS.train_dir, training=True, transforms=[on_disk])
    test = pipeline(FLAGS.test_dir, training=False, transforms=[on_disk])
    model = tf.keras.Sequential([
        tf.keras.Input((192, 192, 3)),
        tf.keras.layers.Rescaling(1 / 255),
        tf.keras.layers.Conv2D(64, 7, strides=4, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(15),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=25)
    model.evaluate(test)


if __name__ == "__main__":
    app.run(main)
