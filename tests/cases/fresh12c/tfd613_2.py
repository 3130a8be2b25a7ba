"""Speech recognition (CTC) with a custom training loop under mixed_float16."""
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
VOCAB = 32


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "fbank": tf.io.FixedLenFeature([1000, 80], tf.float32),
        "text": tf.io.FixedLenFeature([200], tf.int64),
        "frames": tf.io.FixedLenFeature([], tf.int64),
        "chars": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["fbank"], ex["text"], ex["frames"], ex["chars"]


def corpus(pattern, batch):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(5000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def acoustic_model():
    inp = tf.keras.Input((1000, 80))
    h = tf.keras.layers.Conv1D(512, 11, strides=2, padding="same", activation="relu")(inp)
    for _ in range(4):
        h = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(512, return_sequences=True))(h)
    return tf.keras.Model(inp, tf.keras.layers.Dense(VOCAB, dtype="float32")(h))


class CtcTrainer:
    def __init__(self, net):
        self.net = net
        self.opt = tf.keras.optimizers.Adam(3e-4, clipnorm=5.0)

    @tf.function
    def step(self, fbank, text, frames, chars):
        with tf.GradientTape() as tape:
            logits = self.net(fbank, training=True)
            loss = tf.reduce_mean(tf.nn.ctc_loss(
                labels=tf.cast(text, tf.int32), logits=logits,
                label_length=tf.cast(chars, tf.int32), logit_length=tf.cast(frames // 2, tf.int32),
                logits_time_major=False, blank_index=0))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss

    def fit(self, ds, epochs):
        for epoch in range(epochs):
            for n, batch in enumerate(ds):
                loss = self.step(*batch)
                if n % 500 == 0:
                    tf.print(epoch, n, loss)
            self.net.save_weights(f"/ckpt/ctc_{epoch}.weights.h5")


if __name__ == "__main__":
    CtcTrainer(acoustic_model()).fit(corpus("/data/librispeech/train-*", 32), 30)
