"""Fine-tune EfficientNet on Food-101."""
import tensorflow as tf

ROOT = '/data/food-101'
SIZE = 300
AUTO = tf.data.AUTOTUNE


def class_names():
    with open(ROOT + '/meta/classes.txt') as f:
        return f.read().split()


CLASSES = tf.constant(class_names())


def read(name):
    path = tf.strings.join([ROOT, '/images/', name, '.jpg'])
    cls = tf.strings.split(name, '/')[0]
    label = tf.argmax(tf.cast(CLASSES == cls, tf.int32))
    return tf.io.read_file(path), label


def decode(raw, label):
    img = tf.io.decode_jpeg(raw, channels=3)
    img = tf.image.resize(img, (SIZE, SIZE), method='bicubic')
    return img, label


def augment(img, label):
    img = tf.image.random_flip_left_right(img)
    img = tf.image.random_brightness(img, 12.0)
    return img, label


def dataset(meta, training):
    ds = tf.data.TextLineDataset(meta)
    ds = ds.map(read, num_parallel_calls=AUTO)
    ds = ds.cache()
    ds = ds.map(decode, num_parallel_calls=AUTO)
    if training:
        ds = ds.shuffle(4000)
        ds = ds.map(augment, num_parallel_calls=AUTO)
    return ds.batch(64).prefetch(AUTO)


def main():
    train = dataset(ROOT + '/meta/train.txt', True)
    test = dataset(ROOT + '/meta/test.txt', False)
    base = tf.keras.applications.EfficientNetB3(
        include_top=False, pooling='avg', input_shape=(SIZE, SIZE, 3))
    model = tf.keras.Sequential([
        base,
        tf.keras.layers.Dropout(0.3),
        tf.keras.layers.Dense(101, activation='softmax')])
    model.compile(tf.keras.optimizers.Adam(1e-4),
                  'sparse_categorical_crossentropy', metrics=['accuracy'])
    model.fit(train, validation_data=test, epochs=30)


if __name__ == '__main__':
    main()
