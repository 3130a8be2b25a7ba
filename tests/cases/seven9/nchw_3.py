"""ResNet on ImageNet with Estimator, after tensorflow/models official/r1."""
from absl import app, flags
import tensorflow as tf

flags.DEFINE_string('data_dir', '/imagenet', '')
flags.DEFINE_string('model_dir', '/models/resnet_v1', '')
flags.DEFINE_integer('batch_size', 256, '')
flags.DEFINE_integer('train_steps', 450000, '')
flags.DEFINE_enum('data_format', None, ['channels_first', 'channels_last'],
                  'Defaults to channels_first on CUDA builds.')
FLAGS = flags.FLAGS


def parse(record):
    ex = tf.io.parse_single_example(record, {
        'image/encoded': tf.io.FixedLenFeature([], tf.string),
        'image/class/label': tf.io.FixedLenFeature([], tf.int64)})
    img = tf.io.decode_jpeg(ex['image/encoded'], channels=3)
    img = tf.image.random_crop(tf.image.resize(img, (256, 256)), (224, 224, 3))
    return tf.image.random_flip_left_right(img) - 118.0, ex['image/class/label']


def input_fn():
    files = tf.data.Dataset.list_files(FLAGS.data_dir + '/train-*')
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=10,
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10000).repeat()
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(FLAGS.batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


class ResNet:
    def __init__(self, data_format=None):
        if not data_format:
            data_format = ('channels_first' if tf.test.is_built_with_cuda()
                           else 'channels_last')
        self.data_format = data_format
        self.axis = 1 if data_format == 'channels_first' else 3

    def conv(self, x, filters, kernel, strides=1):
        return tf.compat.v1.layers.conv2d(
            x, filters, kernel, strides, padding='same', use_bias=False,
            data_format=self.data_format)

    def bn_relu(self, x, training):
        x = tf.compat.v1.layers.batch_normalization(
            x, axis=self.axis, training=training, fused=True)
        return tf.nn.relu(x)

    def __call__(self, x, training):
        if self.data_format == 'channels_first':
            x = tf.transpose(x, [0, 3, 1, 2])
        x = self.bn_relu(self.conv(x, 64, 7, 2), training)
        for i, (f, n) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
            for j in range(n):
                s = 2 if i and not j else 1
                skip = self.conv(x, f, 1, s)
                y = self.bn_relu(self.conv(x, f, 3, s), training)
                x = self.bn_relu(self.conv(y, f, 3), training) + skip
        axes = [2, 3] if self.data_format == 'channels_first' else [1, 2]
        return tf.compat.v1.layers.dense(tf.reduce_mean(x, axes), 1001)


def model_fn(features, labels, mode):
    logits = ResNet(FLAGS.data_format)(features, mode == 'train')
    loss = tf.compat.v1.losses.sparse_softmax_cross_entropy(labels, logits)
    step = tf.compat.v1.train.get_or_create_global_step()
    opt = tf.compat.v1.train.MomentumOptimizer(0.1, 0.9)
    updates = tf.compat.v1.get_collection(tf.compat.v1.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(updates):
        train_op = opt.minimize(loss, step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(_):
    est = tf.estimator.Estimator(model_fn, FLAGS.model_dir)
    est.train(input_fn, max_steps=FLAGS.train_steps)


if __name__ == '__main__':
    app.run(main)
