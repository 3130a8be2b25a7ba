# YOLOv3 training on Open Images TFRecords
import tensorflow as tf
from absl import app, flags, logging
from absl.flags import FLAGS

flags.DEFINE_string('dataset', './data/openimages_train-*.tfrecord', 'path to dataset')
flags.DEFINE_integer('size', 416, 'image size')
flags.DEFINE_integer('batch_size', 32, 'batch size')
flags.DEFINE_integer('epochs', 30, 'number of epochs')
flags.DEFINE_float('learning_rate', 1e-3, 'learning rate')
flags.DEFINE_integer('num_classes', 601, 'classes')
flags.DEFINE_integer('max_boxes', 100, 'max boxes')

IMAGE_FEATURE_MAP = {
    'image/encoded': tf.io.FixedLenFeature([], tf.string),
    'image/object/bbox/xmin': tf.io.VarLenFeature(tf.float32),
    'image/object/bbox/ymin': tf.io.VarLenFeature(tf.float32),
    'image/object/bbox/xmax': tf.io.VarLenFeature(tf.float32),
    'image/object/bbox/ymax': tf.io.VarLenFeature(tf.float32),
    'image/object/class/label': tf.io.VarLenFeature(tf.int64),
}


def parse_tfrecord(tfrecord, size):
    x = tf.io.parse_single_example(tfrecord, IMAGE_FEATURE_MAP)
    x_train = tf.image.decode_jpeg(x['image/encoded'], channels=3)
    x_train = tf.image.resize(x_train, (size, size)) / 255.
    y_train = tf.stack([
        tf.sparse.to_dense(x['image/object/bbox/xmin']),
        tf.sparse.to_dense(x['image/object/bbox/ymin']),
        tf.sparse.to_dense(x['image/object/bbox/xmax']),
        tf.sparse.to_dense(x['image/object/bbox/ymax']),
        tf.cast(tf.sparse.to_dense(x['image/object/class/label']), tf.float32),
    ], axis=1)
    y_train = y_train[:FLAGS.max_boxes]
    paddings = [[0, FLAGS.max_boxes - tf.shape(y_train)[0]], [0, 0]]
    return x_train, tf.pad(y_train, paddings)


def load_tfrecord_dataset(file_pattern, size):
    files = tf.data.Dataset.list_files(file_pattern)
    dataset = files.flat_map(tf.data.TFRecordDataset)
    return dataset.map(lambda x: parse_tfrecord(x, size))


def detector():
    base = tf.keras.applications.MobileNetV2(
        input_shape=(FLAGS.size, FLAGS.size, 3), include_top=False)
    x = tf.keras.layers.GlobalAveragePooling2D()(base.output)
    x = tf.keras.layers.Dense(FLAGS.max_boxes * 5)(x)
    return tf.keras.Model(
        base.input, tf.keras.layers.Reshape((FLAGS.max_boxes, 5))(x))


def main(_argv):
    train_dataset = load_tfrecord_dataset(FLAGS.dataset, FLAGS.size)
    train_dataset = train_dataset.shuffle(buffer_size=512)
    train_dataset = train_dataset.batch(FLAGS.batch_size)
    train_dataset = train_dataset.prefetch(
        buffer_size=tf.data.experimental.AUTOTUNE)

    model = detector()
    model.compile(optimizer=tf.keras.optimizers.Adam(FLAGS.learning_rate),
                  loss='huber')
    logging.info('training on %s', FLAGS.dataset)
    model.fit(train_dataset, epochs=FLAGS.epochs)
    model.save_weights('./checkpoints/yolov3.tf')


if __name__ == '__main__':
    app.run(main)
