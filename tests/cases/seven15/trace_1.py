import tensorflow as tf

LOGDIR = "/tmp/logs/catsdogs"
AUTO = tf.data.AUTOTUNE


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)})
    img = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), [128, 128])
    return img, ex["label"]


def train_data():
    files = tf.data.Dataset.list_files("/data/catsdogs/train-*.tfrecord", shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
    return ds.shuffle(4000).map(parse, num_parallel_calls=AUTO).batch(64).prefetch(AUTO)


model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1 / 255.0),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(2),
])
opt = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


dataset = train_data()
tf.profiler.experimental.start(LOGDIR)
for step, (x, y) in enumerate(dataset):
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        loss = train_step(x, y)
    if step == 100:
        break
tf.profiler.experimental.stop()
print("loss", float(loss))
