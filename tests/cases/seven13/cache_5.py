"""Sentence-pair similarity with WordPiece; custom loop over many epochs."""
import tensorflow as tf
import tensorflow_text as tf_text

VOCAB = "/models/bert/vocab.txt"
MAX_LEN = 128


class PairTokenizer(tf.Module):
    def __init__(self):
        self.bert = tf_text.BertTokenizer(VOCAB, lower_case=True)

    def _ids(self, text):
        clean = tf_text.normalize_utf8(text, "NFKC")
        clean = tf.strings.regex_replace(clean, r"<[^>]+>|https?://\S+", " ")
        tokens = self.bert.tokenize(clean).merge_dims(-2, -1)
        return tokens[:, :MAX_LEN].to_tensor(shape=[None, MAX_LEN])

    def __call__(self, left, right, score):
        return (self._ids(left), self._ids(right)), score


class Siamese(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(30522, 256, mask_zero=True)
        self.encode = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256))

    def call(self, pair):
        a, b = (tf.math.l2_normalize(self.encode(self.embed(t)), -1) for t in pair)
        return tf.reduce_sum(a * b, -1)


def lines(path):
    raw = tf.data.experimental.CsvDataset(
        path, [tf.string, tf.string, tf.float32], header=True, field_delim="\t", use_quote_delim=False)
    return raw.batch(256, drop_remainder=True).cache()


def run(path="/data/paraphrase/train.tsv", epochs=40):
    tokenizer = PairTokenizer()
    batches = lines(path).shuffle(500)
    batches = batches.map(tokenizer, num_parallel_calls=tf.data.AUTOTUNE)
    batches = batches.prefetch(tf.data.AUTOTUNE)

    model, optimizer = Siamese(), tf.keras.optimizers.Adam(5e-4)

    @tf.function
    def update(pair, score):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(pair) - score))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(epochs):
        for pair, score in batches:
            loss = update(pair, score)
        print(epoch, float(loss))


if __name__ == "__main__":
    run()
