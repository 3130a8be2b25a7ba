from absl import app, flags
import tensorflow as tf
import tensorflow_datasets as tfds

FLAGS = flags.FLAGS
flags.DEFINE_enum("backbone", "convnext", ["convnext", "mobilenet"], "Feature extractor.")
flags.DEFINE_integer("batch_size", 64, "Batch size.")

BACKBONES = {
    "convnext": tf.keras.applications.ConvNeXtTiny,
    "mobilenet": tf.keras.applications.MobileNetV3Large,
}


def preprocess(image, label):
    image = tf.image.convert_image_dtype(image, tf.float32)
    return tf.image.resize(image, (224, 224)), label


def get_split(name, training):
    ds = tfds.load("stanford_dogs", split=name, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(2000)
    ds = ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(FLAGS.batch_size, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def create_classifier(num_classes):
    backbone = BACKBONES[FLAGS.backbone](
        include_top=False, weights="imagenet", input_shape=(224, 224, 3), pooling="avg")
    backbone.trainable = False
    return tf.keras.Sequential([backbone, tf.keras.layers.Dense(num_classes)])


def main(_):
    model = create_classifier(120)
    model.compile(tf.keras.optimizers.AdamW(1e-3),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(get_split("train", True), validation_data=get_split("test", False), epochs=8)


if __name__ == "__main__":
    app.run(main)
