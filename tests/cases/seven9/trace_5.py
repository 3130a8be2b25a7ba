"""Generic trainer with hooks; here: point-cloud classification (ModelNet/ScanObjectNN)."""
import tensorflow as tf


class Hook:
    def before_step(self, step):
        pass

    def after_step(self, step, metrics):
        pass


class LogHook(Hook):
    def after_step(self, step, metrics):
        if step % 100 == 0:
            print(step, {k: float(v) for k, v in metrics.items()})


class ProfilerHook(Hook):
    """Captures steps [first, last] for TensorBoard."""

    def __init__(self, logdir, first=200, last=220):
        self.logdir, self.first, self.last = logdir, first, last

    def before_step(self, step):
        if step == self.first:
            options = tf.profiler.experimental.ProfilerOptions(
                host_tracer_level=2, python_tracer_level=1)
            tf.profiler.experimental.start(self.logdir, options=options)

    def after_step(self, step, metrics):
        if step == self.last:
            tf.profiler.experimental.stop()


class Trainer:
    def __init__(self, model, optimizer, hooks=()):
        self.model, self.optimizer, self.hooks = model, optimizer, hooks
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, pts, label):
        with tf.GradientTape() as tape:
            loss = self.loss(label, self.model(pts, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return {'loss': loss}

    def fit(self, dataset, steps):
        iterator = iter(dataset)
        for step in range(steps):
            for h in self.hooks:
                h.before_step(step)
            pts, label = next(iterator)
            metrics = self.train_step(pts, label)
            for h in self.hooks:
                h.after_step(step, metrics)


def clouds(pattern, batch, points=2048):
    def parse(r):
        ex = tf.io.parse_single_example(r, {
            'xyz': tf.io.FixedLenFeature([points * 3], tf.float32),
            'label': tf.io.FixedLenFeature([], tf.int64)})
        xyz = tf.random.shuffle(tf.reshape(ex['xyz'], (points, 3)))[:1024]
        return xyz + tf.random.normal(tf.shape(xyz), stddev=0.01), ex['label']
    return (tf.data.TFRecordDataset(tf.io.gfile.glob(pattern),
                                    num_parallel_reads=tf.data.AUTOTUNE)
            .shuffle(10000).repeat()
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE))


def pointnet(classes=40):
    x = inp = tf.keras.Input((1024, 3))
    for f in (64, 64, 128, 1024):
        x = tf.keras.layers.Conv1D(f, 1, activation='relu')(x)
        x = tf.keras.layers.BatchNormalization()(x)
    x = tf.keras.layers.GlobalMaxPooling1D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(classes)(x))


if __name__ == '__main__':
    hooks = [LogHook(), ProfilerHook('runs/pointnet/profile')]
    trainer = Trainer(pointnet(), tf.keras.optimizers.Adam(1e-3), hooks)
    trainer.fit(clouds('/data/modelnet40/train-*', 64), steps=60000)
