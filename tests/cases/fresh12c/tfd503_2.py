"""Diffusion model training for 64x64 faces. Profiled segment after warm-up."""
import tensorflow as tf

T = 1000
ALPHA_BAR = tf.math.cumprod(1.0 - tf.linspace(1e-4, 0.02, T))


def faces(pattern, batch):
    def decode(path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img, (64, 64), antialias=True)
        return img / 127.5 - 1.0

    ds = tf.data.Dataset.list_files(pattern).repeat()
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Denoiser(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.time = tf.keras.layers.Embedding(T, 64)
        self.convs = [tf.keras.layers.Conv2D(f, 3, padding="same", activation="swish") for f in (64, 128, 128, 64)]
        self.out = tf.keras.layers.Conv2D(3, 3, padding="same")

    def call(self, x, t):
        emb = self.time(t)[:, None, None, :]
        h = tf.concat([x, tf.broadcast_to(emb, tf.concat([tf.shape(x)[:3], [64]], 0))], -1)
        for conv in self.convs:
            h = conv(h)
        return self.out(h)


net, opt = Denoiser(), tf.keras.optimizers.Adam(2e-4)


@tf.function
def step(x):
    t = tf.random.uniform([tf.shape(x)[0]], 0, T, tf.int32)
    a = tf.gather(ALPHA_BAR, t)[:, None, None, None]
    noise = tf.random.normal(tf.shape(x))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(tf.sqrt(a) * x + tf.sqrt(1 - a) * noise, t) - noise))
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


def run_steps(data, first, n):
    loss = None
    for i in range(first, first + n):
        with tf.profiler.experimental.Trace("diffusion", step_num=i, _r=1):
            loss = step(next(data))
    return loss


data = iter(faces("/data/ffhq/*/*.jpg", 128))
run_steps(data, 0, 50)
with tf.profiler.experimental.Profile("/logs/diffusion"):
    run_steps(data, 50, 200)
for block in range(400):
    tf.print(block, run_steps(data, 250 + block * 1000, 1000))
    net.save_weights("/ckpt/diffusion.weights.h5")
