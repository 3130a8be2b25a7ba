# %% Deep ensemble for weather post-processing: a member per GPU
import tensorflow as tf

gpus = tf.config.list_logical_devices("GPU")
BATCH = 4096


# %%
def observations():
    spec = {"fields": tf.io.FixedLenFeature([120], tf.float32), "t2m": tf.io.FixedLenFeature([], tf.float32)}

    def parse(raw):
        ex = tf.io.parse_example(raw, spec)
        return ex["fields"], ex["t2m"]

    ds = tf.data.Dataset.list_files("/data/wb/train-*.tfrecord")
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(200_000).batch(BATCH, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


# %%
def make_member(seed):
    init = tf.keras.initializers.GlorotUniform(seed)
    net = tf.keras.Sequential([tf.keras.layers.Input((120,)),
                               tf.keras.layers.Dense(1024, activation="relu", kernel_initializer=init),
                               tf.keras.layers.Dense(1024, activation="relu"),
                               tf.keras.layers.Dense(2)])
    net.compile("adam", gaussian_nll)
    return net


def gaussian_nll(y, p):
    y = tf.reshape(y, [-1])
    mu, log_var = p[:, 0], p[:, 1]
    return 0.5 * (log_var + tf.square(y - mu) / tf.exp(log_var))


members = {}
for i, gpu in enumerate(gpus):
    with tf.device(gpu.name):
        members[gpu.name] = make_member(100 + i)

# %%
for epoch in range(15):
    for fields, target in observations():
        for name in members:
            with tf.device(name):
                members[name].train_on_batch(fields, target)
    print("epoch", epoch)

# %%
for i, member in enumerate(members.values()):
    member.save(f"/models/wb_member_{i}.keras")
