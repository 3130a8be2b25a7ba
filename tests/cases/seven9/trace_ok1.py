"""MoCo-like contrastive pretraining of a ResNet on Places365."""
import contextlib
import tensorflow as tf

PROFILE_RANGE = range(50, 60)


class Profiler:
    def __init__(self, logdir):
        self.logdir = logdir

    @contextlib.contextmanager
    def step(self, n):
        if n == PROFILE_RANGE.start:
            tf.profiler.experimental.start(self.logdir)
        with tf.profiler.experimental.Trace('train', step_num=n, _r=1):
            yield
        if n == PROFILE_RANGE.stop - 1:
            tf.profiler.experimental.stop()


def augment(path):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (256, 256)) / 255.0

    def view():
        v = tf.image.random_crop(img, (224, 224, 3))
        v = tf.image.random_flip_left_right(v)
        return tf.image.random_brightness(v, 0.4)
    return view(), view()


def places(pattern, batch):
    ds = tf.data.Dataset.list_files(pattern).repeat()
    ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def encoder():
    return tf.keras.Sequential([
        tf.keras.applications.ResNet50(include_top=False, weights=None,
                                       pooling='avg'),
        tf.keras.layers.Dense(128)])


def main():
    query, key = encoder(), encoder()
    query.build((None, 224, 224, 3))
    key.build((None, 224, 224, 3))
    opt = tf.keras.optimizers.SGD(0.03, 0.9)

    @tf.function
    def train_step(a, b):
        k = tf.math.l2_normalize(key(b, training=True), 1)
        with tf.GradientTape() as tape:
            q = tf.math.l2_normalize(query(a, training=True), 1)
            logits = tf.matmul(q, k, transpose_b=True) / 0.07
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(
                    tf.range(tf.shape(q)[0]), logits))
        grads = tape.gradient(loss, query.trainable_variables)
        opt.apply_gradients(zip(grads, query.trainable_variables))
        for w, v in zip(key.variables, query.variables):
            w.assign(0.999 * w + 0.001 * v)
        return loss

    prof = Profiler('logs/moco')
    it = iter(places('/data/places365/train/*/*.jpg', 256))
    for n in range(200000):
        with prof.step(n):
            a, b = next(it)
            loss = train_step(a, b)
        if n % 100 == 0:
            print(n, float(loss))


if __name__ == '__main__':
    main()
