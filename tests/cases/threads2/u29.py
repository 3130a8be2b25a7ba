import glob

import tensorflow as tf

IMAGE = (88, 200)
BATCH = 120
INTENTIONS = 4


def parse(record):
    parsed = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "speed": tf.io.FixedLenFeature([], tf.float32),
        "intention": tf.io.FixedLenFeature([], tf.int64),
        "controls": tf.io.FixedLenFeature([3], tf.float32),
    })
    image = tf.io.decode_png(parsed["image"], channels=3)
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, IMAGE)
    image = tf.ensure_shape(image, IMAGE + (3,))
    inputs = {
        "image": image,
        "speed": parsed["speed"][tf.newaxis] / 85.0,
        "intention": tf.one_hot(parsed["intention"], INTENTIONS),
    }
    return inputs, parsed["controls"]


def augment(inputs, controls):
    image = tf.image.random_brightness(inputs["image"], 0.3)
    image = tf.image.random_contrast(image, 0.6, 1.5)
    image = image + tf.random.normal(tf.shape(image), stddev=0.02)
    return dict(inputs, image=tf.clip_by_value(image, 0.0, 1.0)), controls


def train_input(pattern):
    files = sorted(glob.glob(pattern))
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4000)
    ds = ds.map(parse)
    ds = ds.map(augment)
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def policy():
    layers = tf.keras.layers
    image = tf.keras.Input(IMAGE + (3,), name="image")
    speed = tf.keras.Input((1,), name="speed")
    intention = tf.keras.Input((INTENTIONS,), name="intention")
    x = layers.Conv2D(32, 5, strides=2, activation="relu")(image)
    x = layers.Conv2D(64, 3, strides=2, activation="relu")(x)
    x = layers.Concatenate()([layers.GlobalAveragePooling2D()(x), speed, intention])
    x = layers.Dense(256, activation="relu")(x)
    model = tf.keras.Model([image, speed, intention], layers.Dense(3)(x))
    model.compile(tf.keras.optimizers.Adam(2e-4), "mse")
    return model


if __name__ == "__main__":
    policy().fit(train_input("carla/train-*.tfrecord"), epochs=20)
