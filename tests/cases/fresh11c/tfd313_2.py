import tensorflow as tf
import tensorflow_datasets as tfds

MEAN = (125.3, 123.0, 113.9)
STD = (63.0, 62.1, 66.7)


def standardize(image):
    return (tf.cast(image, tf.float32) - MEAN) / STD


def pad_and_crop(image, margin=4):
    image = tf.image.resize_with_crop_or_pad(image, 32 + 2 * margin, 32 + 2 * margin)
    return tf.image.random_crop(image, (32, 32, 3))


def preprocess(training):
    def apply(image, label):
        image = standardize(image)
        if training:
            image = pad_and_crop(image)
            image = tf.image.random_flip_left_right(image)
        return image, label
    return apply


def load(split, batch_size):
    training = split == "train"
    ds = tfds.load("cifar10", split=split, as_supervised=True, shuffle_files=training)
    ds = ds.cache()
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.map(preprocess(training), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = tf.keras.applications.ResNet50(weights=None, input_shape=(32, 32, 3), classes=10)
    net.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    net.fit(load("train", 256), validation_data=load("test", 512), epochs=90)
