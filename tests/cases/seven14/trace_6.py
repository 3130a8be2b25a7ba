"""Profiled evaluation of a detector backbone over a large held-out set."""
import tensorflow as tf

Trace = tf.profiler.experimental.Trace
CONFIG = {
    "data": {"pattern": "/data/coco/val-*.tfrecord", "size": 512, "batch": 16},
    "profile": {"logdir": "/logs/coco_eval", "host_tracer_level": 2},
    "model": "/models/retina_backbone.keras",
}


def step_scope(kind, n):
    return Trace(kind, step_num=n, _r=1)


class Evaluator:
    def __init__(self, model):
        self.model = model
        self.metrics = {"mse": tf.keras.metrics.MeanSquaredError(), "cos": tf.keras.metrics.CosineSimilarity()}

    @tf.function
    def step(self, images, heat):
        pred = self.model(images, training=False)
        for m in self.metrics.values():
            m.update_state(heat, pred)

    def run(self, ds):
        n = 0
        for images, heat in ds:
            with step_scope("eval", n):
                self.step(images, heat)
            n += 1
        return {k: float(m.result()) for k, m in self.metrics.items()}


def validation(opt):
    spec = {"jpeg": tf.io.FixedLenFeature([], tf.string), "heat": tf.io.FixedLenFeature([], tf.string)}

    def parse(raw):
        ex = tf.io.parse_single_example(raw, spec)
        img = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        heat = tf.ensure_shape(tf.io.parse_tensor(ex["heat"], tf.float32), [64, 64, 80])
        return tf.image.resize(img, [opt["size"]] * 2), heat

    files = tf.data.Dataset.list_files(opt["pattern"], shuffle=False)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    return (ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
              .batch(opt["batch"]).prefetch(tf.data.AUTOTUNE))


def main(cfg):
    ev = Evaluator(tf.keras.models.load_model(cfg["model"]))
    ds = validation(cfg["data"])
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=cfg["profile"]["host_tracer_level"])
    tf.profiler.experimental.start(cfg["profile"]["logdir"], options=options)
    try:
        print(ev.run(ds.take(300)))
    finally:
        tf.profiler.experimental.stop()


if __name__ == "__main__":
    main(CONFIG)
