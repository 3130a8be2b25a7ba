import glob

import tensorflow as tf

LENGTH, VOCAB = 64, 16_000


def parse(batch):
    ex = tf.io.parse_example(
        batch,
        {
            "source": tf.io.FixedLenFeature([LENGTH], tf.int64),
            "target": tf.io.FixedLenFeature([LENGTH + 1], tf.int64),
        },
    )
    return ex["source"], ex["target"][:, :-1], ex["target"][:, 1:]


def translations(pattern, batch_size):
    files = glob.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files)).repeat()
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000).batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def seq2seq(dim=256):
    src = tf.keras.Input((LENGTH,), dtype="int64")
    tgt = tf.keras.Input((LENGTH,), dtype="int64")
    embed = tf.keras.layers.Embedding(VOCAB, dim)
    memory, state = tf.keras.layers.GRU(dim, return_sequences=True, return_state=True)(embed(src))
    dec = tf.keras.layers.GRU(dim, return_sequences=True)(embed(tgt), initial_state=state)
    ctx = tf.keras.layers.Attention()([dec, memory])
    logits = tf.keras.layers.Dense(VOCAB)(tf.keras.layers.Concatenate()([dec, ctx]))
    return tf.keras.Model([src, tgt], logits)


def train(total_steps=200_000):
    model = seq2seq()
    optimizer = tf.keras.optimizers.Adam(5e-4)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    ckpt = tf.train.Checkpoint(step=tf.Variable(0), model=model, optimizer=optimizer)
    manager = tf.train.CheckpointManager(ckpt, "/ckpt/nmt", max_to_keep=3)
    ckpt.restore(manager.latest_checkpoint)

    @tf.function
    def step(src, tgt_in, tgt_out):
        with tf.GradientTape() as tape:
            loss = loss_fn(tgt_out, model([src, tgt_in], training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    ds = translations("/data/wmt/train-*.tfrecord", 64)
    for src, tgt_in, tgt_out in ds.take(total_steps):
        loss = step(src, tgt_in, tgt_out)
        ckpt.step.assign_add(1)
        manager.save()
        if int(ckpt.step) % 200 == 0:
            print(int(ckpt.step), float(loss))


if __name__ == "__main__":
    train()
