"""Hook based runner (detectron-like) for an OCR CRNN on synthetic text lines."""
import logging

import tensorflow as tf

log = logging.getLogger("runner")
CHARS = "abcdefghijklmnopqrstuvwxyz0123456789-. "


class Hook:
    def before_step(self, runner):
        pass

    def after_step(self, runner):
        pass


class LogHook(Hook):
    def after_step(self, runner):
        if runner.step % 100 == 0:
            log.info("step %d ctc %.3f", runner.step, float(runner.loss))


class ProfilerHook(Hook):
    def __init__(self, logdir, start, count):
        self.logdir, self.start, self.stop = logdir, start, start + count
        self.options = tf.profiler.experimental.ProfilerOptions(
            host_tracer_level=2, python_tracer_level=0, device_tracer_level=1)

    def before_step(self, runner):
        if runner.step == self.start:
            tf.profiler.experimental.start(self.logdir, options=self.options)

    def after_step(self, runner):
        if runner.step == self.stop:
            tf.profiler.experimental.stop()


class Runner:
    def __init__(self, model, hooks):
        self.model, self.hooks = model, hooks
        self.opt = tf.keras.optimizers.Adam(5e-4)
        self.step, self.loss = 0, None

    @tf.function
    def _train(self, images, labels, lengths):
        with tf.GradientTape() as tape:
            logits = self.model(images, training=True)
            t = tf.fill([tf.shape(images)[0]], tf.shape(logits)[1])
            loss = tf.reduce_mean(tf.nn.ctc_loss(labels, logits, lengths, t,
                                                 logits_time_major=False, blank_index=-1))
        v = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    def run(self, dataset, max_steps):
        iterator = iter(dataset)
        while self.step < max_steps:
            for h in self.hooks:
                h.before_step(self)
            batch = next(iterator)
            self.loss = self._train(*batch)
            for h in self.hooks:
                h.after_step(self)
            self.step += 1


def text_lines(pattern, batch_size):
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
        list(CHARS), tf.range(len(CHARS), dtype=tf.int32)), 0)

    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"png": tf.io.FixedLenFeature([], tf.string),
                                              "text": tf.io.FixedLenFeature([], tf.string)})
        img = tf.image.resize_with_pad(tf.io.decode_png(ex["png"], channels=1), 32, 320)
        ids = table.lookup(tf.strings.unicode_split(tf.strings.lower(ex["text"]), "UTF-8"))[:40]
        return img / 255.0, tf.pad(ids, [[0, 40 - tf.size(ids)]]), tf.size(ids)

    files = tf.data.Dataset.list_files(pattern)
    return (files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(20_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE))


def crnn():
    inp = tf.keras.Input((32, 320, 1))
    x = inp
    for ch, pool in ((64, 2), (128, 2), (256, (2, 1)), (512, (4, 1))):
        x = tf.keras.layers.Conv2D(ch, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPool2D(pool)(x)
    x = tf.keras.layers.Reshape((80, 512))(x)
    x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256, return_sequences=True))(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(len(CHARS) + 1)(x))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    hooks = [LogHook(), ProfilerHook("/exp/ocr/profile", start=500, count=20)]
    Runner(crnn(), hooks).run(text_lines("/data/synth90k/train-*", 256), 300_000)
