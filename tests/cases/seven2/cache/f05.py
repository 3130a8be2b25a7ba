import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
BATCH = 32 * strategy.num_replicas_in_sync


def read(path):
    return tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=80000)[0][:, 0]


def stft(wave):
    return tf.signal.stft(wave, frame_length=2048, frame_step=512)


def power(spec):
    return tf.math.log(tf.square(tf.abs(spec)) + 1e-8)


files = tf.data.Dataset.list_files("/data/machines/normal/*.wav")
ds = files.cache()
for op in (read, stft, power):
    ds = ds.map(op, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(512).batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
dist = strategy.experimental_distribute_dataset(ds)

with strategy.scope():
    ae = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1025)])
    opt = tf.keras.optimizers.Adam()


@tf.function
def train_step(batch):
    def replica(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(ae(x, training=True) - x))
        opt.apply_gradients(zip(tape.gradient(loss, ae.trainable_variables), ae.trainable_variables))
        return loss

    return strategy.reduce(tf.distribute.ReduceOp.MEAN, strategy.run(replica, args=(batch,)), axis=None)


for epoch in range(100):
    for batch in dist:
        loss = train_step(batch)
    print(epoch, float(loss))
