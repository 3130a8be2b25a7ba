import tensorflow as tf


class Trainer:
    def __init__(self, model, optimizer, files, workdir, batch_size=256):
        self.model = model
        self.optimizer = optimizer
        self.files = files
        self.batch_size = batch_size
        self.step = tf.Variable(0, dtype=tf.int64)
        ckpt = tf.train.Checkpoint(model=model, optimizer=optimizer, step=self.step)
        self.manager = tf.train.CheckpointManager(ckpt, workdir, max_to_keep=3)

    def parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        return tf.image.resize(image, (224, 224)), ex["label"]

    def batches(self, start_step):
        ds = tf.data.TFRecordDataset(self.files, num_parallel_reads=16)
        ds = ds.shuffle(20_000, seed=17).repeat()
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        if start_step:
            ds = ds.skip(start_step)
        return ds.prefetch(tf.data.AUTOTUNE)

    @tf.function
    def train_step(self, images, labels):
        with tf.GradientTape() as tape:
            logits = self.model(images, training=True)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.step.assign_add(1)
        return loss

    def run(self, total_steps):
        self.manager.restore_or_initialize()
        start = int(self.step.numpy())
        for images, labels in self.batches(start).take(total_steps - start):
            self.train_step(images, labels)
        self.manager.save()
