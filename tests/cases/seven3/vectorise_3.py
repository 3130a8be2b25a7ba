import tensorflow as tf

NUM_CLASSES = 24
SPEC = {
    "iq": tf.io.FixedLenFeature([1024, 2], tf.float32),
    "snr": tf.io.FixedLenFeature([], tf.float32),
    "modulation": tf.io.FixedLenFeature([], tf.int64),
}


def parse(serialized):
    return tf.io.parse_single_example(serialized, SPEC)


files = tf.io.gfile.glob("/data/radioml/train-*.tfrecord")
dataset = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
dataset = dataset.shuffle(20_000)
dataset = dataset.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.map(
    lambda ex: {"iq": tf.clip_by_value(ex["iq"] * 0.5, -1.0, 1.0),
                "target": tf.one_hot(ex["modulation"], NUM_CLASSES)},
    num_parallel_calls=tf.data.AUTOTUNE,
)
dataset = dataset.batch(512, drop_remainder=True)
dataset = dataset.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((1024, 2)),
    tf.keras.layers.Conv1D(64, 7, strides=2, activation="relu"),
    tf.keras.layers.Conv1D(128, 7, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(NUM_CLASSES),
])
optimizer = tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.CosineDecay(1e-3, 100_000))


@tf.function(jit_compile=True)
def train_step(iq, target):
    with tf.GradientTape() as tape:
        logits = model(iq, training=True)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(target, logits))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for epoch in range(40):
    for step, batch in enumerate(dataset):
        loss = train_step(batch["iq"], batch["target"])
        if step % 200 == 0:
            tf.print("epoch", epoch, "step", step, "loss", loss)
