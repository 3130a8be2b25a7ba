import tensorflow as tf

BOUNDS = [50, 100, 200, 400]
BATCHES = [128, 64, 32, 16, 8]
STEPS = 100_000


def parse(rec):
    ctx = tf.io.parse_single_example(rec, {"frames": tf.io.VarLenFeature(tf.float32),
                                           "speaker": tf.io.FixedLenFeature([], tf.int64)})
    return tf.reshape(tf.sparse.to_dense(ctx["frames"]), (-1, 40)), ctx["speaker"]


shards = tf.io.gfile.glob("/corpora/vox/train-*.tfrecord")
utterances = tf.data.TFRecordDataset(shards, num_parallel_reads=tf.data.AUTOTUNE)
utterances = utterances.map(parse, num_parallel_calls=tf.data.AUTOTUNE).shuffle(20_000).repeat()
bucketed = utterances.bucket_by_sequence_length(
    lambda frames, speaker: tf.shape(frames)[0],
    bucket_boundaries=BOUNDS,
    bucket_batch_sizes=BATCHES,
)

model = tf.keras.Sequential([tf.keras.layers.LSTM(256), tf.keras.layers.Dense(1251)])
optimizer = tf.keras.optimizers.Adam()
criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function(input_signature=(tf.TensorSpec([None, None, 40]), tf.TensorSpec([None], tf.int64)))
def train_step(frames, speaker):
    with tf.GradientTape() as tape:
        loss = criterion(speaker, model(frames, training=True))
    optimizer.apply_gradients(
        zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


model.build((None, None, 40))
optimizer.build(model.trainable_variables)
it = iter(bucketed)
for step in range(STEPS):
    loss = train_step(*next(it))
    if step % 1000 == 0:
        print(step, float(loss))
