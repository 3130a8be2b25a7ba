import argparse

import tensorflow as tf

prof = tf.profiler.experimental

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="/fsx/imagenet/train-*")
parser.add_argument("--profile-at", type=int, default=300)
parser.add_argument("--steps", type=int, default=450_000)
parser.add_argument("--per-gpu", type=int, default=128)
parser.add_argument("--logdir", default="/fsx/logs/r50")
args = parser.parse_args()

strategy = tf.distribute.MirroredStrategy()
GLOBAL = args.per_gpu * strategy.num_replicas_in_sync


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64)})
    img = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    img = tf.image.random_crop(tf.image.resize(img, (256, 256)), (224, 224, 3))
    return tf.image.random_flip_left_right(img), ex["image/class/label"] - 1


ds = tf.data.Dataset.list_files(args.data)
ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(16_384).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(GLOBAL, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
dist_iter = iter(strategy.experimental_distribute_dataset(ds))

with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None, classifier_activation=None)
    optimizer = tf.keras.optimizers.SGD(0.4, momentum=0.9)


@tf.function
def train_step(images, labels):
    def replica(x, y):
        with tf.GradientTape() as tape:
            logits = model(tf.keras.applications.resnet50.preprocess_input(x), training=True)
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
            loss = tf.nn.compute_average_loss(ce, global_batch_size=GLOBAL)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss
    return strategy.reduce("SUM", strategy.run(replica, args=(images, labels)), axis=None)


for step in range(args.steps):
    if step == args.profile_at:
        prof.start(args.logdir, options=prof.ProfilerOptions(host_tracer_level=2))
    images, labels = next(dist_iter)
    with prof.Trace("r50_step", step_num=step, _r=1):
        loss = train_step(images, labels)
    if step == args.profile_at + 5:
        prof.stop()
    if step % 1000 == 0:
        print(step, loss.numpy())
