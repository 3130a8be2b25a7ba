import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


class Input:
    def __init__(self, pattern, batch_size):
        ds = tf.data.Dataset.list_files(pattern)
        ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
        self.dataset = ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
        self.iterator = v1.data.make_initializable_iterator(self.dataset)
        self.images = self.iterator.get_next()


data = Input("/data/xray/*.png", 16)
mean = tf.reduce_mean(data.images)
with v1.Session() as sess:
    sess.run(data.iterator.initializer)
    values = []
    while True:
        try:
            values.append(sess.run(mean))
        except tf.errors.OutOfRangeError:
            break
print(sum(values) / len(values))
