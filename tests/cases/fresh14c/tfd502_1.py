import tensorflow as tf

LOGDIR = "logs/captions"
START, STOP = 50, 58
VOCAB, LENGTH = 12000, 24

SPEC = {
    "feature": tf.io.FixedLenFeature([2048], tf.float32),
    "caption": tf.io.FixedLenFeature([LENGTH + 1], tf.int64),
}


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return (ex["feature"], ex["caption"][:, :-1]), ex["caption"][:, 1:]


def dataset(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(10_000).repeat().batch(batch_size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def captioner():
    feature = tf.keras.Input([2048])
    words = tf.keras.Input([LENGTH], dtype=tf.int64)
    state = tf.keras.layers.Dense(512, activation="tanh")(feature)
    x = tf.keras.layers.Embedding(VOCAB, 256)(words)
    x = tf.keras.layers.GRU(512, return_sequences=True)(x, initial_state=state)
    return tf.keras.Model([feature, words], tf.keras.layers.Dense(VOCAB)(x))


def main(steps=20_000):
    model = captioner()
    optimizer = tf.keras.optimizers.Adam(1e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(inputs, targets):
        with tf.GradientTape() as tape:
            loss = loss_fn(targets, model(inputs, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    iterator = iter(dataset("coco/train-*.tfrecord", 128))
    for step in range(steps):
        if step == START:
            tf.profiler.experimental.start(LOGDIR)
        with tf.profiler.experimental.Trace("train", step_num=step):
            inputs, targets = next(iterator)
            loss = train_step(inputs, targets)
        if step == STOP:
            tf.profiler.experimental.stop()
        if step % 1000 == 0:
            print(step, float(loss))
    model.save_weights("captions.weights.h5")


if __name__ == "__main__":
    main()
