"""CIFAR-10 binary files (depth-major on disk) -> HWC -> ResNet-56."""
import os

from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string('data_dir', '/data/cifar-10-batches-bin', '')
flags.DEFINE_integer('batch_size', 128, '')
flags.DEFINE_integer('epochs', 182, '')

HEIGHT, WIDTH, DEPTH = 32, 32, 3
RECORD_BYTES = 1 + HEIGHT * WIDTH * DEPTH


def parse_record(raw):
    record = tf.io.decode_raw(raw, tf.uint8)
    label = tf.cast(record[0], tf.int32)
    depth_major = tf.reshape(record[1:RECORD_BYTES], [DEPTH, HEIGHT, WIDTH])
    # [depth, height, width] -> [height, width, depth]
    image = tf.transpose(depth_major, [1, 2, 0])
    return image, label


def augment(image, label):
    image = tf.image.resize_with_crop_or_pad(image, HEIGHT + 8, WIDTH + 8)
    image = tf.image.random_crop(image, [HEIGHT, WIDTH, DEPTH])
    return tf.image.random_flip_left_right(image), label


def scale(images, labels):
    return tf.cast(images, tf.float32) / 127.5 - 1.0, labels


def input_fn(training):
    names = ['data_batch_%d.bin' % i for i in range(1, 6)]
    files = [os.path.join(FLAGS.data_dir, n)
             for n in (names if training else ['test_batch.bin'])]
    ds = tf.data.FixedLengthRecordDataset(files, RECORD_BYTES)
    ds = ds.map(parse_record, num_parallel_calls=tf.data.AUTOTUNE).cache()
    if training:
        ds = ds.shuffle(50000)
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(FLAGS.batch_size)
    ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def resnet(n=9):
    L = tf.keras.layers
    inp = L.Input((HEIGHT, WIDTH, DEPTH))
    x = L.Conv2D(16, 3, padding='same')(inp)
    for i, f in enumerate((16, 32, 64)):
        for j in range(n):
            s = 2 if i and not j else 1
            y = L.ReLU()(L.BatchNormalization()(L.Conv2D(f, 3, s, 'same')(x)))
            y = L.BatchNormalization()(L.Conv2D(f, 3, 1, 'same')(y))
            if x.shape[-1] != f or s != 1:
                x = L.Conv2D(f, 1, s)(x)
            x = L.ReLU()(L.Add()([x, y]))
    x = L.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inp, L.Dense(10, activation='softmax')(x))


def main(_):
    model = resnet()
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
                  'sparse_categorical_crossentropy', metrics=['accuracy'])
    model.fit(input_fn(True), validation_data=input_fn(False),
              epochs=FLAGS.epochs)


if __name__ == '__main__':
    app.run(main)
