"""Super-resolution (EDSR, DIV2K patches) with an optional profiler decorator."""
import contextlib
import functools
import tensorflow as tf
from tensorflow.python.profiler import profiler_v2 as profiler


def profiled(logdir, when):
    """Runs the decorated epoch function under the TF profiler."""
    def deco(fn):
        @functools.wraps(fn)
        def inner(self, epoch, *args):
            if epoch != when:
                return fn(self, epoch, *args)
            profiler.start(logdir)
            with contextlib.ExitStack() as stack:
                stack.callback(profiler.stop)
                return fn(self, epoch, *args)
        return inner
    return deco


def random_patch(lr_path, hr_path, scale=4, size=48):
    lr = tf.io.decode_png(tf.io.read_file(lr_path), channels=3)
    hr = tf.io.decode_png(tf.io.read_file(hr_path), channels=3)
    y = tf.random.uniform([], 0, tf.shape(lr)[0] - size, tf.int32)
    x = tf.random.uniform([], 0, tf.shape(lr)[1] - size, tf.int32)
    lr = lr[y:y + size, x:x + size]
    hr = hr[y * scale:(y + size) * scale, x * scale:(x + size) * scale]
    lr = tf.ensure_shape(lr, (size, size, 3))
    hr = tf.ensure_shape(hr, (size * scale, size * scale, 3))
    return tf.cast(lr, tf.float32), tf.cast(hr, tf.float32)


def div2k(root, batch=16):
    lr = sorted(tf.io.gfile.glob(f'{root}/DIV2K_train_LR_bicubic/X4/*.png'))
    hr = sorted(tf.io.gfile.glob(f'{root}/DIV2K_train_HR/*.png'))
    ds = tf.data.Dataset.from_tensor_slices((lr, hr)).shuffle(len(lr)).repeat()
    ds = ds.map(random_patch, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def edsr(blocks=16, f=64):
    L = tf.keras.layers
    inp = L.Input((None, None, 3))
    x = s = L.Conv2D(f, 3, padding='same')(L.Rescaling(1 / 255.0)(inp))
    for _ in range(blocks):
        y = L.Conv2D(f, 3, padding='same', activation='relu')(x)
        x = L.Add()([x, L.Conv2D(f, 3, padding='same')(y)])
    x = L.Add()([x, s])
    x = L.Conv2DTranspose(f, 4, 2, 'same')(x)
    x = L.Conv2DTranspose(f, 4, 2, 'same')(x)
    return tf.keras.Model(inp, L.Rescaling(255.0)(L.Conv2D(3, 3, padding='same')(x)))


class EdsrTrainer:
    STEPS = 1000

    def __init__(self, root):
        self.model = edsr()
        self.opt = tf.keras.optimizers.Adam(1e-4)
        self.it = iter(div2k(root))

    @tf.function
    def step(self, lr, hr):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(hr - self.model(lr, training=True)))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    @profiled('logs/edsr', when=1)
    def run_epoch(self, epoch):
        mean = tf.keras.metrics.Mean()
        for _ in range(self.STEPS):
            lr, hr = next(self.it)
            mean.update_state(self.step(lr, hr))
        return float(mean.result())


if __name__ == '__main__':
    trainer = EdsrTrainer('/data/div2k')
    for e in range(300):
        print(e, trainer.run_epoch(e))
