"""CycleGAN-style day/night translation with two independent datasets."""
import tensorflow as tf

OPTS = {"day": "/data/road/day/*.jpg", "night": "/data/road/night/*.jpg",
        "size": 256, "batch": 8, "steps": 120_000, "trace_from": 500, "trace_to": 540}


def domain(pattern):
    def load(path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img, [OPTS["size"] + 30] * 2)
        img = tf.image.random_crop(img, [OPTS["size"], OPTS["size"], 3])
        return tf.image.random_flip_left_right(img) / 127.5 - 1.0

    ds = tf.data.Dataset.list_files(pattern, shuffle=True).repeat()
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(OPTS["batch"], drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def generator():
    inp = tf.keras.Input((None, None, 3))
    x = tf.keras.layers.Conv2D(64, 7, padding="same", activation="relu")(inp)
    for _ in range(6):
        x = x + tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 7, padding="same", activation="tanh")(x))


def critic():
    return tf.keras.Sequential([tf.keras.layers.Conv2D(w, 4, 2, "same", activation="leaky_relu")
                                for w in (64, 128, 256)] + [tf.keras.layers.Conv2D(1, 4)])


class DayNight:
    def __init__(self):
        self.g, self.f, self.d = generator(), generator(), critic()
        self.go, self.do = (tf.keras.optimizers.Adam(2e-4, 0.5) for _ in range(2))

    @tf.function
    def update(self, day, night):
        with tf.GradientTape(persistent=True) as t:
            fake = self.g(day)
            cyc = tf.reduce_mean(tf.abs(self.f(fake) - day))
            gl = tf.reduce_mean((self.d(fake) - 1.0) ** 2) + 10.0 * cyc
            dl = tf.reduce_mean((self.d(night) - 1.0) ** 2) + tf.reduce_mean(self.d(fake) ** 2)
        gv = self.g.trainable_variables + self.f.trainable_variables
        self.go.apply_gradients(zip(t.gradient(gl, gv), gv))
        dv = self.d.trainable_variables
        self.do.apply_gradients(zip(t.gradient(dl, dv), dv))
        return gl, dl


gan = DayNight()
days, nights = iter(domain(OPTS["day"])), iter(domain(OPTS["night"]))
for step in range(OPTS["steps"]):
    if step == OPTS["trace_from"]:
        tf.profiler.experimental.start("/logs/daynight")
    day, night = next(days), next(nights)
    with tf.profiler.experimental.Trace("gan_step", step_num=step, _r=1):
        g_loss, d_loss = gan.update(day, night)
    if step == OPTS["trace_to"]:
        tf.profiler.experimental.stop()
    if step % 1000 == 0:
        print(step, float(g_loss), float(d_loss))
