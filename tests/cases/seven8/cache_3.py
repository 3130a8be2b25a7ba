"""Fine-tune a small BERT on Amazon reviews (3.6M rows) for several epochs."""
import argparse

import tensorflow as tf
import tensorflow_hub as hub
import tensorflow_text as text

BERT = "https://tfhub.dev/tensorflow/small_bert/bert_en_uncased_L-4_H-512_A-8/2"
AUTOTUNE = tf.data.AUTOTUNE


def load_raw(path):
    """One review per line: label \\t text."""
    lines = tf.data.TextLineDataset(path)
    return lines.cache()


class Featurizer:
    def __init__(self, vocab, seq_len):
        self.tok = text.BertTokenizer(vocab, lower_case=True)
        with tf.io.gfile.GFile(vocab) as f:
            words = [w.strip() for w in f]
        self.cls, self.sep = words.index("[CLS]"), words.index("[SEP]")
        self.trimmer = text.RoundRobinTrimmer(max_seq_length=seq_len - 2)
        self.seq_len = seq_len

    def __call__(self, lines):
        parts = tf.strings.split(lines, "\t", maxsplit=1).to_tensor(shape=[None, 2])
        labels = tf.strings.to_number(parts[:, 0], tf.int32)
        clean = tf.strings.regex_replace(parts[:, 1], r"<[^>]+>|https?://\S+", " ")
        tokens = self.tok.tokenize(clean).merge_dims(-2, -1)
        (trimmed,) = self.trimmer.trim([tokens])
        ids, types = text.combine_segments([trimmed], self.cls, self.sep)
        ids, mask = text.pad_model_inputs(ids, self.seq_len)
        types, _ = text.pad_model_inputs(types, self.seq_len)
        return dict(input_word_ids=ids, input_mask=mask, input_type_ids=types), labels


def to_batches(ds, featurizer, batch_size, training):
    if training:
        ds = ds.shuffle(500_000)
    ds = ds.batch(batch_size)
    ds = ds.map(featurizer, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def classifier(seq_len):
    inputs = {k: tf.keras.Input((seq_len,), dtype=tf.int32, name=k)
              for k in ("input_word_ids", "input_mask", "input_type_ids")}
    pooled = hub.KerasLayer(BERT, trainable=True)(inputs)["pooled_output"]
    logits = tf.keras.layers.Dense(2)(tf.keras.layers.Dropout(0.1)(pooled))
    return tf.keras.Model(inputs, logits)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="/data/amazon/train.tsv")
    ap.add_argument("--dev", default="/data/amazon/dev.tsv")
    ap.add_argument("--vocab", default="/data/bert/vocab.txt")
    ap.add_argument("--seq-len", type=int, default=128)
    ap.add_argument("--epochs", type=int, default=5)
    args = ap.parse_args()
    feat = Featurizer(args.vocab, args.seq_len)
    train = to_batches(load_raw(args.train), feat, 128, True)
    dev = to_batches(load_raw(args.dev), feat, 256, False)
    model = classifier(args.seq_len)
    model.compile(tf.keras.optimizers.Adam(3e-5),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(train, validation_data=dev, epochs=args.epochs)


if __name__ == "__main__":
    main()
