"""Multi-GPU ResNet with MirroredStrategy; profiles steps 500..520 of the run."""
import tensorflow as tf
import tensorflow_datasets as tfds
from absl import app, flags, logging

flags.DEFINE_string("workdir", "/logs/r50", "")
flags.DEFINE_integer("batch", 1024, "global batch")
flags.DEFINE_integer("steps", 112_590, "")
flags.DEFINE_list("profile", ["500", "520"], "first,last")
FLAGS = flags.FLAGS


def preprocess(ex):
    img = tf.io.decode_jpeg(ex["image"], channels=3)
    img = tf.image.resize(img, [256, 256])
    img = tf.image.random_crop(img, [224, 224, 3])
    return tf.image.random_flip_left_right(img) / 127.5 - 1.0, ex["label"]


def imagenet(batch):
    ds = tfds.load("imagenet2012", split="train", shuffle_files=True,
                   decoders={"image": tfds.decode.SkipDecoding()})
    ds = ds.shuffle(16_384).repeat()
    ds = ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(_):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None, classifier_activation=None)
        lr = tf.keras.optimizers.schedules.CosineDecay(0.4, FLAGS.steps)
        opt = tf.keras.optimizers.SGD(lr, momentum=0.9)

    def replica_fn(images, labels):
        with tf.GradientTape() as tape:
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(images, training=True))
            loss = tf.nn.compute_average_loss(ce, global_batch_size=FLAGS.batch)
        tv = model.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, tv), tv))
        return loss

    @tf.function
    def train_step(batch):
        return strategy.reduce("SUM", strategy.run(replica_fn, args=batch), axis=None)

    first, last = map(int, FLAGS.profile)
    ckpt = tf.train.CheckpointManager(
        tf.train.Checkpoint(model=model, opt=opt), FLAGS.workdir, max_to_keep=3)
    iterator = iter(strategy.experimental_distribute_dataset(imagenet(FLAGS.batch)))
    for step in range(FLAGS.steps):
        if step == first:
            tf.profiler.experimental.start(FLAGS.workdir)
        batch = next(iterator)
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            loss = train_step(batch)
        if step == last:
            tf.profiler.experimental.stop()
        if step % 250 == 0:
            logging.info("step %d loss %.3f", step, float(loss))
        if step % 5000 == 4999:
            ckpt.save()


if __name__ == "__main__":
    app.run(main)
