"""Dog breed classification on Stanford Dogs."""
import tensorflow as tf
import tensorflow_datasets as tfds

IMG = 160
AUTO = tf.data.AUTOTUNE


def decode_resize(example):
    img = tf.io.decode_jpeg(example['image'], channels=3)
    img = tf.image.resize_with_pad(img, IMG + 16, IMG + 16)
    return tf.cast(img, tf.uint8), example['label']


def random_augment(img, label):
    img = tf.image.random_crop(img, (IMG, IMG, 3))
    img = tf.image.random_flip_left_right(img)
    img = tf.image.random_hue(tf.cast(img, tf.float32) / 255.0, 0.05)
    img = tf.image.random_contrast(img, 0.8, 1.2)
    return img, label


class Dogs:
    def __init__(self, batch_size=128):
        self.batch_size = batch_size

    def raw(self, split):
        return tfds.load('stanford_dogs', split=split,
                         decoders={'image': tfds.decode.SkipDecoding()})

    def train(self):
        ds = self.raw('train').map(decode_resize, num_parallel_calls=AUTO)
        ds = ds.cache().shuffle(12000)
        ds = ds.map(random_augment, num_parallel_calls=AUTO)
        return ds.batch(self.batch_size).prefetch(AUTO)

    def test(self):
        def center(img, label):
            img = tf.image.resize_with_crop_or_pad(img, IMG, IMG)
            return tf.cast(img, tf.float32) / 255.0, label
        ds = self.raw('test').map(decode_resize, num_parallel_calls=AUTO)
        ds = ds.map(center, num_parallel_calls=AUTO)
        return ds.batch(self.batch_size).cache().prefetch(AUTO)


def main():
    data = Dogs()
    base = tf.keras.applications.MobileNetV2(
        include_top=False, pooling='avg', input_shape=(IMG, IMG, 3))
    model = tf.keras.Sequential(
        [base, tf.keras.layers.Dense(120, activation='softmax')])
    model.compile('adam', 'sparse_categorical_crossentropy', ['accuracy'])
    model.fit(data.train(), validation_data=data.test(), epochs=40)


if __name__ == '__main__':
    main()
