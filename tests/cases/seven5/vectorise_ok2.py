"""Cars: crops around bounding boxes, mixed sizes of pictures."""
import tensorflow as tf
import tensorflow_datasets as tfds
import keras

SIZE = (224, 224)
AUTO = tf.data.AUTOTUNE


def crop(sample):
    image = tf.io.decode_jpeg(sample["image"], channels=3)
    shape = tf.cast(tf.shape(image)[:2], tf.float32)
    top, left, bottom, right = tf.unstack(
        tf.cast(sample["bbox"] * tf.concat([shape, shape], 0), tf.int32))
    bottom, right = tf.maximum(bottom, top + 1), tf.maximum(right, left + 1)
    image = tf.image.resize(image[top:bottom, left:right], SIZE)
    return tf.cast(image, tf.uint8), sample["label"]


def scale(images, labels):
    return tf.cast(images, tf.float32) / 127.5 - 1.0, labels


def build(split, batch_size):
    ds = tfds.load(
        "cars196",
        split=split,
        shuffle_files=split == "train",
        decoders={"image": tfds.decode.SkipDecoding()},
    )
    if split == "train":
        ds = ds.shuffle(8144)
    ds = ds.map(crop, num_parallel_calls=AUTO)
    ds = ds.batch(batch_size)
    ds = ds.map(scale, num_parallel_calls=AUTO)
    return ds.prefetch(AUTO)


def main():
    base = keras.applications.MobileNetV2(include_top=False, pooling="avg", input_shape=(*SIZE, 3))
    model = keras.Sequential([base, keras.layers.Dropout(0.3), keras.layers.Dense(196)])
    model.compile(
        keras.optimizers.Adam(1e-4),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        ["accuracy"],
    )
    model.fit(build("train", 64), validation_data=build("test", 64), epochs=40)


if __name__ == "__main__":
    main()
