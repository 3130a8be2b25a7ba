import tensorflow as tf


class Flow:
    def __init__(self, ds):
        self.ds = ds

    def then(self, method, *args, **kwargs):
        return Flow(getattr(self.ds, method)(*args, **kwargs))

    def mapped(self, fn):
        return self.then("map", fn, num_parallel_calls=tf.data.AUTOTUNE)


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.cast(tf.image.resize(image, (96, 96), antialias=True), tf.uint8)
    return image, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)


def to_float(images, digits):
    return tf.cast(images, tf.float32) / 255.0, tf.one_hot(digits, 200)


def mixup(images, hot):
    n = tf.shape(images)[0]
    weight = tf.random.uniform((n, 1))
    order = tf.random.shuffle(tf.range(n))
    w4 = weight[..., tf.newaxis, tf.newaxis]
    return images * w4 + tf.gather(images, order) * (1 - w4), hot * weight + tf.gather(hot, order) * (1 - weight)


train = (Flow(tf.data.Dataset.list_files("/data/cub/train/*/*.jpg"))
         .mapped(decode)
         .then("cache")
         .then("shuffle", 6000)
         .then("batch", 64, drop_remainder=True)
         .mapped(to_float)
         .mapped(mixup)
         .then("prefetch", tf.data.AUTOTUNE)
         .ds)

model = tf.keras.Sequential([
    tf.keras.applications.MobileNetV3Large((96, 96, 3), include_top=False, weights=None, pooling="avg",
                                           include_preprocessing=False),
    tf.keras.layers.Dense(200),
])
model.compile("adam", tf.keras.losses.CategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=200)
