from absl import app, flags
import tensorflow as tf
import tensorflow_datasets as tfds

FLAGS = flags.FLAGS
flags.DEFINE_integer("batch_size", 64, "Batch size.")
flags.DEFINE_float("learning_rate", 1e-3, "Learning rate.")


def preprocess(image, label):
    image = tf.image.resize(image, (224, 224))
    return image / 127.5 - 1.0, label


def get_split(name, training):
    ds = tfds.load("stanford_dogs", split=name, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(2000)
    ds = ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(FLAGS.batch_size, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def create_classifier(num_classes):
    backbone = tf.keras.applications.MobileNetV3Large(
        include_top=False, weights="imagenet", input_shape=(224, 224, 3), pooling="avg",
        include_preprocessing=False)
    backbone.trainable = False
    return tf.keras.Sequential([backbone, tf.keras.layers.Dense(num_classes)])


def main(_):
    model = create_classifier(120)
    model.compile(tf.keras.optimizers.AdamW(FLAGS.learning_rate),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(get_split("train", True), validation_data=get_split("test", False), epochs=8)


if __name__ == "__main__":
    app.run(main)
