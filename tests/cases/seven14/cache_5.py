"""Sentiment fine-tuning; the tokenizer comes from TF Text."""
import argparse
import tensorflow as tf
import tensorflow_text as text


class WordpieceEncoder:
    def __init__(self, vocab_file, length):
        self.tok = text.BertTokenizer(vocab_file, lower_case=True, normalization_form="NFD")
        self.length = length

    def __call__(self, reviews, labels):
        clean = tf.strings.regex_replace(reviews, r"<[^>]+>", " ")
        clean = tf.strings.regex_replace(clean, r"https?://\S+", "[UNK]")
        ids = self.tok.tokenize(clean).merge_dims(1, -1)
        trimmed = ids[:, :self.length - 2]
        n = trimmed.nrows()
        cls, sep = tf.fill([n, 1], tf.cast(101, ids.dtype)), tf.fill([n, 1], tf.cast(102, ids.dtype))
        out = tf.concat([cls, trimmed, sep], 1)
        padded, mask = text.pad_model_inputs(out, self.length)
        return {"ids": tf.cast(padded, tf.int32), "mask": tf.cast(mask, tf.int32)}, labels


def reviews(folder, batch, seed):
    return tf.keras.utils.text_dataset_from_directory(folder, batch_size=batch, seed=seed)


def get_dataset(name, args, encoder):
    raw = reviews(f"{args.root}/{name}", args.batch, args.seed)
    raw = raw.cache()
    encoded = raw.map(encoder, num_parallel_calls=tf.data.AUTOTUNE)
    return encoded.prefetch(tf.data.AUTOTUNE)


def classifier(vocab, length, dim=256):
    ids = tf.keras.Input((length,), name="ids", dtype="int32")
    mask = tf.keras.Input((length,), name="mask", dtype="int32")
    x = tf.keras.layers.Embedding(vocab, dim)(ids)
    x = x + tf.keras.layers.MultiHeadAttention(4, 64)(x, x)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model({"ids": ids, "mask": mask}, tf.keras.layers.Dense(1)(x))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="/data/amazon_reviews")
    p.add_argument("--vocab", default="/models/bert/vocab.txt")
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--epochs", type=int, default=25)
    a = p.parse_args()
    enc = WordpieceEncoder(a.vocab, 256)
    model = classifier(30522, 256)
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(get_dataset("train", a, enc), validation_data=get_dataset("test", a, enc),
              epochs=a.epochs)
