"""Hook-driven training loop (like tf.estimator SessionRunHooks, but eager). Task: neural machine ranking."""
import sys

import tensorflow as tf
import yaml

prof = tf.profiler.experimental


class Hook:
    def begin(self, loop):
        pass

    def before_step(self, loop, step):
        pass

    def after_step(self, loop, step, loss):
        pass

    def end(self, loop):
        pass


class ProfilerHook(Hook):
    def __init__(self, logdir, first, last):
        self.logdir, self.first, self.last = logdir, first, last

    def before_step(self, loop, step):
        if step == self.first:
            prof.start(self.logdir, options=prof.ProfilerOptions(
                host_tracer_level=2, python_tracer_level=1, device_tracer_level=1))

    def after_step(self, loop, step, loss):
        if step == self.last:
            prof.stop()


class LoggingHook(Hook):
    def __init__(self, every):
        self.every = every

    def after_step(self, loop, step, loss):
        if step % self.every == 0:
            print(f"step {step} loss {float(loss):.4f}", file=sys.stderr)


class Loop:
    def __init__(self, model, optimizer, hooks):
        self.model, self.optimizer, self.hooks = model, optimizer, hooks

    @tf.function
    def update(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(y, self.model(x)[..., 0]))
        tv = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, tv), tv))
        return loss

    def run(self, dataset, steps):
        for h in self.hooks:
            h.begin(self)
        feed = iter(dataset)
        for step in range(steps):
            for h in self.hooks:
                h.before_step(self, step)
            x, y = next(feed)
            loss = self.update(x, y)
            for h in self.hooks:
                h.after_step(self, step, loss)
        for h in self.hooks:
            h.end(self)


def queries(pattern, batch, docs=100, dims=136):
    spec = {"x": tf.io.FixedLenFeature([docs, dims], tf.float32),
            "y": tf.io.FixedLenFeature([docs], tf.float32)}
    ds = tf.data.Dataset.list_files(pattern).interleave(
        tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, cycle_length=16)
    ds = ds.shuffle(20_000).repeat().batch(batch, drop_remainder=True)

    def parse(r):
        ex = tf.io.parse_example(r, spec)
        return ex["x"], ex["y"]
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(path="rank.yaml"):
    with open(path) as fh:
        cfg = yaml.safe_load(fh)
    hooks = [LoggingHook(100)]
    if cfg.get("profile"):
        hooks.append(ProfilerHook(cfg["logdir"], *cfg["profile"]))
    scorer = tf.keras.Sequential([tf.keras.layers.Dense(w, "relu") for w in (1024, 512, 256)]
                                 + [tf.keras.layers.Dense(1)])
    loop = Loop(scorer, tf.keras.optimizers.Adagrad(0.05), hooks)
    loop.run(queries(cfg["pattern"], cfg["batch"]), cfg["steps"])


if __name__ == "__main__":
    main(*sys.argv[1:])
