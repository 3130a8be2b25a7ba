import tensorflow as tf
from tensorflow import profiler

Trace = profiler.experimental.Trace
VOCAB = 8000


def translation_batches(pattern, batch_size):
    spec = {"src": tf.io.RaggedFeature(tf.int64), "tgt": tf.io.RaggedFeature(tf.int64)}
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=8).shuffle(20_000)
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda ex: (ex["src"].to_tensor(shape=(None, 64)), ex["tgt"].to_tensor(shape=(None, 65))),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


class Seq2Seq(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(VOCAB, 256)
        self.encoder = tf.keras.layers.GRU(256, return_state=True)
        self.decoder = tf.keras.layers.GRU(256, return_sequences=True)
        self.out = tf.keras.layers.Dense(VOCAB)

    def call(self, inputs):
        src, tgt = inputs
        _, state = self.encoder(self.embedding(src))
        return self.out(self.decoder(self.embedding(tgt), initial_state=state))


model = Seq2Seq()
optimizer = tf.keras.optimizers.Adam(5e-4)


@tf.function
def train_step(src, tgt):
    with tf.GradientTape() as tape:
        logits = model((src, tgt[:, :-1]), training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tgt[:, 1:], logits))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


data = translation_batches("/data/wmt/train-*.tfrecord", 128)
global_step = 0
profiler.experimental.start("/tmp/wmt")
for epoch in range(2):
    pending = iter(data)
    while True:
        try:
            src, tgt = next(pending)
        except StopIteration:
            break
        with Trace("wmt", step_num=global_step, _r=1):
            loss = train_step(src, tgt)
        global_step += 1
    print("epoch", epoch, float(loss))
profiler.experimental.stop()
