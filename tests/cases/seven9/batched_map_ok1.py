"""CIFAR-100 WideResNet; all cheap element-wise work happens on batches."""
import tensorflow as tf
import tensorflow_datasets as tfds

MEAN = tf.constant([0.5071, 0.4865, 0.4409])
STD = tf.constant([0.2673, 0.2564, 0.2762])


def standardize(images, labels):
    images = (tf.cast(images, tf.float32) / 255.0 - MEAN) / STD
    return images, tf.one_hot(labels, 100)


def cutout(image, label):
    """Pads, crops and cuts a random square of one image (per element)."""
    image = tf.pad(image, [[4, 4], [4, 4], [0, 0]], mode='REFLECT')
    image = tf.image.random_crop(image, [32, 32, 3])
    image = tf.image.random_flip_left_right(image)
    y = tf.random.uniform([], 0, 24, tf.int32)
    x = tf.random.uniform([], 0, 24, tf.int32)
    hole = tf.pad(tf.zeros([8, 8, 1], tf.uint8),
                  [[y, 24 - y], [x, 24 - x], [0, 0]], constant_values=1)
    return image * hole, label


def pipeline(split, batch_size):
    ds = tfds.load('cifar100', split=split, as_supervised=True).cache()
    if split == 'train':
        ds = ds.shuffle(50000)
        ds = ds.map(cutout, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=split == 'train')
    ds = ds.map(standardize, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def wrn_block(x, filters, stride):
    L = tf.keras.layers
    y = L.ReLU()(L.BatchNormalization()(x))
    skip = L.Conv2D(filters, 1, stride, use_bias=False)(y)
    y = L.Conv2D(filters, 3, stride, 'same', use_bias=False)(y)
    y = L.ReLU()(L.BatchNormalization()(y))
    y = L.Conv2D(filters, 3, 1, 'same', use_bias=False)(y)
    return L.Add()([y, skip])


def wide_resnet(k=10, n=4):
    inp = tf.keras.Input((32, 32, 3))
    x = tf.keras.layers.Conv2D(16, 3, padding='same')(inp)
    for f, s in ((16, 1), (32, 2), (64, 2)):
        for i in range(n):
            x = wrn_block(x, f * k, s if i == 0 else 1)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(100, 'softmax')(x))


if __name__ == '__main__':
    model = wide_resnet()
    model.compile(tf.keras.optimizers.SGD(0.1, 0.9, nesterov=True),
                  'categorical_crossentropy', ['accuracy'])
    model.fit(pipeline('train', 128), validation_data=pipeline('test', 256),
              epochs=200)
