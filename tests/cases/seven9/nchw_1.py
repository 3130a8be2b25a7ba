"""Cassava leaf disease classification, VGG-like net in channels_first."""
import tensorflow as tf
from tensorflow.keras import layers

AUTO = tf.data.AUTOTUNE
SIZE = 256
FILES = tf.io.gfile.glob('/kaggle/input/cassava-tfrecords/train*.tfrec')
BATCH = 64

FEATURES = {
    'image': tf.io.FixedLenFeature([], tf.string),
    'target': tf.io.FixedLenFeature([], tf.int64),
}


def read_example(serialized):
    ex = tf.io.parse_single_example(serialized, FEATURES)
    img = tf.io.decode_jpeg(ex['image'], channels=3)
    img = tf.image.resize(img, (SIZE, SIZE)) / 255.0
    img = tf.image.random_flip_left_right(img)
    img = tf.image.random_saturation(img, 0.8, 1.2)
    img = tf.transpose(img, [2, 0, 1])
    return img, ex['target']


def get_dataset(files):
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=AUTO)
    ds = ds.shuffle(2048)
    ds = ds.map(read_example, num_parallel_calls=AUTO)
    ds = ds.batch(BATCH, drop_remainder=True)
    return ds.prefetch(AUTO)


def conv_bn(x, filters):
    x = layers.Conv2D(filters, 3, padding='same', use_bias=False,
                      data_format='channels_first')(x)
    x = layers.BatchNormalization(axis=1)(x)
    return layers.Activation('relu')(x)


def build_model():
    inp = layers.Input((3, SIZE, SIZE))
    x = inp
    for filters, repeats in ((64, 2), (128, 2), (256, 3), (512, 3)):
        for _ in range(repeats):
            x = conv_bn(x, filters)
        x = layers.MaxPooling2D(2, data_format='channels_first')(x)
    x = layers.GlobalAveragePooling2D(data_format='channels_first')(x)
    x = layers.Dropout(0.4)(x)
    return tf.keras.Model(inp, layers.Dense(5, activation='softmax')(x))


gpus = tf.config.list_physical_devices('GPU')
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)

model = build_model()
model.compile(tf.keras.optimizers.Adam(3e-4),
              'sparse_categorical_crossentropy', metrics=['accuracy'])
model.fit(get_dataset(FILES), epochs=25)
model.save('cassava_vgg.keras')
