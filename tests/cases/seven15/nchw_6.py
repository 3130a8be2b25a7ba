import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

flags = tf.app.flags
flags.DEFINE_string("pattern", "/plates/train-*", "record files")
flags.DEFINE_integer("batch_size", 96, "examples a step")
flags.DEFINE_integer("max_steps", 80000, "steps")
FLAGS = flags.FLAGS


class Layout:
    name = "NCHW"
    perm = (0, 3, 1, 2)
    spatial = (2, 3)

    @classmethod
    def convert(cls, images, labels):
        return tf.transpose(images, cls.perm), labels

    @classmethod
    def strides(cls, s):
        return [1, 1, s, s]


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "img": tf.io.FixedLenFeature([], tf.string), "cls": tf.io.FixedLenFeature([], tf.int64)})
    img = tf.image.decode_jpeg(ex["img"], channels=3)
    return tf.image.resize_images(img, [64, 160]) / 255.0, ex["cls"]


def inputs():
    files = tf.data.Dataset.list_files(FLAGS.pattern, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=8)
    ds = ds.shuffle(8192).repeat().map(parse, num_parallel_calls=8)
    ds = ds.batch(FLAGS.batch_size, drop_remainder=True)
    ds = ds.map(Layout.convert, num_parallel_calls=4)
    return tf.data.make_one_shot_iterator(ds.prefetch(2)).get_next()


def conv(x, cin, cout, scope, stride=2):
    with tf.variable_scope(scope):
        k = tf.get_variable("kernel", [3, 3, cin, cout])
        b = tf.get_variable("bias", [cout], initializer=tf.zeros_initializer())
        x = tf.nn.conv2d(x, k, Layout.strides(stride), "SAME", data_format=Layout.name)
        return tf.nn.relu(tf.nn.bias_add(x, b, data_format=Layout.name))


def main(_):
    images, labels = inputs()
    h = conv(images, 3, 32, "c1")
    h = conv(h, 32, 64, "c2")
    h = tf.reduce_mean(h, Layout.spatial)
    logits = tf.matmul(h, tf.get_variable("out", [64, 37]))
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    step = tf.train.get_or_create_global_step()
    op = tf.train.AdamOptimizer(1e-3).minimize(loss, global_step=step)
    hooks = [tf.train.StopAtStepHook(last_step=FLAGS.max_steps)]
    with tf.train.MonitoredTrainingSession("/tmp/plates", hooks=hooks) as sess:
        while not sess.should_stop():
            sess.run(op)


if __name__ == "__main__":
    tf.app.run()
