import keras
import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_bool("cache", True, "Keep the decoded images in memory.")
flags.DEFINE_string("root", "beans", "Folder with one folder per class.")

augment = keras.Sequential([keras.layers.RandomFlip(), keras.layers.RandomRotation(0.2)])


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (160, 160)) / 255.0, label


def main(_):
    paths = sorted(tf.io.gfile.glob(f"{FLAGS.root}/*/*.jpg"))
    names = sorted({p.split("/")[-2] for p in paths})
    ds = tf.data.Dataset.from_tensor_slices((paths, [names.index(p.split("/")[-2]) for p in paths]))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache() if FLAGS.cache else ds
    ds = ds.shuffle(1000).batch(32)
    ds = ds.map(lambda x, y: (augment(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.prefetch(tf.data.AUTOTUNE)
    model = keras.Sequential([
        keras.layers.Conv2D(16, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(len(names), activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ds, epochs=20)


if __name__ == "__main__":
    app.run(main)
