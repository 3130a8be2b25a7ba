import tensorflow as tf


class StepTracer:
    def __init__(self, name):
        self.name = name
        self._trace = None

    def before_step(self, step):
        self._trace = tf.profiler.experimental.Trace(self.name, step_num=step, _r=1)
        self._trace.__enter__()

    def after_step(self):
        self._trace.__exit__(None, None, None)
        self._trace = None


def load(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(img, (64, 64)) / 255.0


glyphs = (
    tf.data.Dataset.list_files("/data/glyphs/*.png")
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(256, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)
autoencoder = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, 2, "same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(1, 3, 2, "same", activation="sigmoid"),
])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(autoencoder(images, training=True) - images))
    grads = tape.gradient(loss, autoencoder.trainable_variables)
    optimizer.apply_gradients(zip(grads, autoencoder.trainable_variables))


tracer = StepTracer("autoencoder")
tf.profiler.experimental.start("/tmp/glyphs")
for step, images in enumerate(glyphs):
    tracer.before_step(step)
    train_step(images)
    tracer.after_step()
tf.profiler.experimental.stop()
