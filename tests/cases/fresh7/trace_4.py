# %% [markdown]
# ## CIFAR-10 on all GPUs of the machine, with a profile of the first steps

# %%
import tensorflow as tf
from tensorflow.profiler import experimental as profiler

strategy = tf.distribute.MirroredStrategy()
BATCH = 128 * strategy.num_replicas_in_sync
PROFILED = 60

# %%
(x, y), _ = tf.keras.datasets.cifar10.load_data()
ds = tf.data.Dataset.from_tensor_slices((x, y[:, 0])).shuffle(50_000).batch(BATCH, drop_remainder=True)
ds = ds.map(lambda a, b: (tf.cast(a, tf.float32) / 255.0, b), num_parallel_calls=tf.data.AUTOTUNE)
dist_ds = strategy.experimental_distribute_dataset(ds.repeat().prefetch(tf.data.AUTOTUNE))

# %%
with strategy.scope():
    model = tf.keras.applications.MobileNetV2(input_shape=(32, 32, 3), weights=None, classes=10)
    optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)
    losses = tf.keras.losses.SparseCategoricalCrossentropy(reduction="none")


def replica_step(images, labels):
    with tf.GradientTape() as tape:
        loss = tf.nn.compute_average_loss(losses(labels, model(images, training=True)), global_batch_size=BATCH)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


@tf.function
def train_step(images, labels):
    per_replica = strategy.run(replica_step, args=(images, labels))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, per_replica, axis=None)


# %%
profiler.start("logs/cifar")
for step, (images, labels) in zip(range(PROFILED), dist_ds):
    with profiler.Trace("train_step", step_num=step, _r=1):
        loss = train_step(images, labels)
profiler.stop()

# %%
for step, (images, labels) in zip(range(PROFILED, 20_000), dist_ds):
    loss = train_step(images, labels)
    if step % 500 == 0:
        print(step, float(loss))
