"""Port of a PyTorch ConvNet, trained on a TPU slice."""
import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("tpu", None, "TPU name")
flags.DEFINE_string("data", "gs://places/train-*.tfrecord", "")
flags.DEFINE_integer("batch", 1024, "")
flags.DEFINE_integer("classes", 365, "")

COMMON = {"padding": "same", "use_bias": False, "data_format": "channels_first"}


class ConvBNAct(tf.keras.layers.Layer):
    def __init__(self, filters, kernel=3, stride=1):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(filters, kernel, stride, **COMMON)
        self.bn = tf.keras.layers.BatchNormalization(axis=1)

    def call(self, x, training=False):
        return tf.nn.silu(self.bn(self.conv(x), training=training))


class ConvNet(tf.keras.Model):
    def __init__(self, classes, widths=(64, 128, 256, 512)):
        super().__init__()
        self.stem = ConvBNAct(widths[0], 7, 2)
        self.blocks = [ConvBNAct(w, stride=s) for w in widths for s in (2, 1)]
        self.head = tf.keras.layers.Dense(classes)

    def call(self, x, training=False):
        x = self.stem(x, training=training)
        for b in self.blocks:
            x = b(x, training=training)
        return self.head(tf.reduce_mean(x, axis=(2, 3)))


def preprocess(rec):
    ex = tf.io.parse_single_example(rec, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    img = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), (256, 256))
    img = tf.image.random_crop(img, (224, 224, 3)) / 255.0
    img = tf.transpose(img, [2, 0, 1])
    return tf.cast(img, tf.bfloat16), tf.cast(ex["label"], tf.int32)


def input_fn(ctx):
    files = tf.data.Dataset.list_files(FLAGS.data, shuffle=True, seed=1)
    files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(10_000).repeat().map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    batch = ctx.get_per_replica_batch_size(FLAGS.batch)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(_):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver.connect(FLAGS.tpu)
    strategy = tf.distribute.TPUStrategy(resolver)
    tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")
    with strategy.scope():
        model = ConvNet(FLAGS.classes)
        opt = tf.keras.optimizers.SGD(0.4, momentum=0.9, nesterov=True)
        model.build((None, 3, 224, 224))
        opt.build(model.trainable_variables)

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            logits = tf.cast(model(x, training=True), tf.float32)
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
            loss = tf.nn.compute_average_loss(ce, global_batch_size=FLAGS.batch)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    @tf.function
    def steps(it, n):
        for _ in tf.range(n):
            strategy.run(replica_step, args=(next(it),))

    it = iter(strategy.distribute_datasets_from_function(input_fn))
    for epoch in range(90):
        steps(it, tf.constant(1_800_000 // FLAGS.batch))
        model.save_weights(f"/tmp/places/{epoch}.weights.h5")


if __name__ == "__main__":
    app.run(main)
