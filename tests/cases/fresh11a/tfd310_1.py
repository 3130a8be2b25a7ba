import horovod.tensorflow as hvd
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class Shards:
    def __init__(self, pattern):
        self.pattern = pattern

    def all(self):
        return tf.data.Dataset.list_files(self.pattern)

    def mine(self):
        return self.all().shard(num_shards=hvd.size(), index=hvd.rank())


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64)})
    image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, ex["label"]


def dataset(pattern, batch_size):
    ds = Shards(pattern).mine()
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
    ds = ds.shuffle(20000).map(parse, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(AUTOTUNE)


def main():
    hvd.init()
    ds = dataset("/data/imagenet/train-*", 128)
    model = tf.keras.applications.ResNet50(weights=None)
    opt = tf.keras.optimizers.SGD(0.1 * hvd.size(), momentum=0.9)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        tape = hvd.DistributedGradientTape(tape)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))

    for epoch in range(90):
        for i, (x, y) in enumerate(ds):
            step(x, y)
            if epoch == 0 and i == 0:
                hvd.broadcast_variables(model.variables, root_rank=0)


if __name__ == "__main__":
    main()
