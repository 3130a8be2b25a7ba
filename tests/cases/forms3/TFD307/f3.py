import tensorflow as tf


class RecordReader:
    def __init__(self, pattern, batch_size, buffer_size=8192):
        self.files = sorted(tf.io.gfile.glob(pattern))
        self.batch_size = batch_size
        self.buffer_size = buffer_size

    def parse(self, batch):
        d = tf.io.parse_example(batch, {
            "x": tf.io.FixedLenFeature([16], tf.float32),
            "y": tf.io.FixedLenFeature([], tf.int64),
        })
        return d["x"], d["y"]

    def records(self):
        ds = tf.data.TFRecordDataset(self.files, num_parallel_reads=tf.data.AUTOTUNE)
        options = tf.data.Options()
        options.deterministic = False
        return ds.with_options(options)

    def __call__(self):
        endless = self.records().repeat()
        mixed = endless.shuffle(self.buffer_size)
        ds = mixed.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
opt = tf.keras.optimizers.SGD(0.01)
for step, (x, y) in enumerate(RecordReader("part-*.rec", 64)()):
    if step == 20000:
        break
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
