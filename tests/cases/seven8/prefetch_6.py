"""Neural machine translation, WMT14 en-de, dataset registry + custom loop."""
import tensorflow as tf
import tensorflow_text as tf_text

DATASETS = {}


def register(name):
    def deco(fn):
        DATASETS[name] = fn
        return fn
    return deco


def fixed_resources(dataset, threads=16):
    """Keeps the input pipeline inside the cgroup limits of the shared nodes."""
    opts = tf.data.Options()
    opts.autotune.enabled = False
    opts.threading.private_threadpool_size = threads
    return dataset.with_options(opts)


class PairTokenizer:
    def __init__(self, model_path):
        with tf.io.gfile.GFile(model_path, "rb") as f:
            self.sp = tf_text.SentencepieceTokenizer(f.read(), add_bos=True, add_eos=True)

    def __call__(self, src, tgt):
        return self.sp.tokenize(src), self.sp.tokenize(tgt)


@register("wmt14_ende")
def wmt14_ende(root, tokenizer, batch_size, max_len=128):
    src = tf.data.TextLineDataset(f"{root}/train.en", buffer_size=8 << 20)
    tgt = tf.data.TextLineDataset(f"{root}/train.de", buffer_size=8 << 20)
    ds = tf.data.Dataset.zip((src, tgt))
    ds = ds.shuffle(200_000)
    ds = ds.map(tokenizer, num_parallel_calls=12)
    ds = ds.filter(lambda s, t: tf.maximum(tf.size(s), tf.size(t)) <= max_len)
    ds = ds.padded_batch(batch_size, padded_shapes=([max_len], [max_len]),
                         drop_remainder=True)
    return fixed_resources(ds)


class Seq2Seq(tf.keras.Model):
    def __init__(self, vocab, dim=512):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(vocab, dim, mask_zero=True)
        self.enc = tf.keras.layers.LSTM(dim, return_sequences=True, return_state=True)
        self.dec = tf.keras.layers.LSTM(dim, return_sequences=True)
        self.att = tf.keras.layers.Attention()
        self.out = tf.keras.layers.Dense(vocab)

    def call(self, inputs):
        src, tgt = inputs
        enc, h, c = self.enc(self.emb(src))
        dec = self.dec(self.emb(tgt), initial_state=[h, c])
        return self.out(tf.concat([dec, self.att([dec, enc])], -1))


def train(root="/data/wmt14", epochs=10, batch_size=256):
    tok = PairTokenizer(f"{root}/spm.model")
    dataset = DATASETS["wmt14_ende"](root, tok, batch_size)
    model = Seq2Seq(32000)
    opt = tf.keras.optimizers.Adam(3e-4)
    ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(src, tgt):
        with tf.GradientTape() as tape:
            logits = model((src, tgt[:, :-1]))
            loss = ce(tgt[:, 1:], logits, sample_weight=tf.cast(tgt[:, 1:] > 0, tf.float32))
        g = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        return loss

    for epoch in range(epochs):
        for i, (src, tgt) in enumerate(dataset):
            loss = step(src, tgt)
            if i % 200 == 0:
                tf.print("epoch", epoch, "batch", i, "loss", loss)
        model.save_weights(f"ckpt/nmt_{epoch:02d}.weights.h5")


if __name__ == "__main__":
    train()
