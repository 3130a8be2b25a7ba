import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()

SPEC = {"x": tf.io.FixedLenFeature([128], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = tf.io.gfile.glob("/data/logs/*.tfrecord")
ds = tf.data.Dataset.from_tensor_slices(files)
ds = ds.shuffle(len(files))
ds = ds.shard(hvd.size(), hvd.rank())
ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(20_000).batch(512)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(50)])
opt = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(1e-3 * hvd.size()))
model.compile(opt, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=5, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)],
          verbose=int(hvd.rank() == 0))
