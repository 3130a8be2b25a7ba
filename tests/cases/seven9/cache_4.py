"""Yelp review polarity with a small BERT; tokenization inside tf.data."""
import functools

import tensorflow as tf
import tensorflow_text as tf_text

MAX_LEN = 256


def make_tokenizer(vocab_file):
    return tf_text.BertTokenizer(vocab_file, lower_case=True,
                                 token_out_type=tf.int32)


def tokenize_fn(text, label, tokenizer):
    text = tf_text.normalize_utf8(text, 'NFKC')
    tokens = tokenizer.tokenize([text]).merge_dims(1, 2)[0]
    tokens = tf.concat([[101], tokens[:MAX_LEN - 2], [102]], axis=0)
    pad = MAX_LEN - tf.size(tokens)
    return tf.pad(tokens, [[0, pad]]), label


def reviews(csv):
    ds = tf.data.experimental.CsvDataset(csv, [tf.int32, tf.string])
    return ds.map(lambda y, t: (t, y - 1), num_parallel_calls=tf.data.AUTOTUNE)


def prepare(ds, tokenizer, batch_size, training):
    encode = functools.partial(tokenize_fn, tokenizer=tokenizer)
    ds = ds.cache()
    if training:
        ds = ds.shuffle(560000)
    ds = ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def classifier(vocab_size, width=512, depth=4):
    ids = tf.keras.Input((MAX_LEN,), dtype=tf.int32)
    x = tf.keras.layers.Embedding(vocab_size, width)(ids)
    for _ in range(depth):
        a = tf.keras.layers.MultiHeadAttention(8, width // 8)(x, x)
        x = tf.keras.layers.LayerNormalization()(x + a)
        h = tf.keras.layers.Dense(4 * width, activation='gelu')(x)
        h = tf.keras.layers.Dense(width)(h)
        x = tf.keras.layers.LayerNormalization()(x + h)
    return tf.keras.Model(ids, tf.keras.layers.Dense(2)(x[:, 0]))


def main():
    tokenizer = make_tokenizer('/models/uncased_L-4_H-512_A-8/vocab.txt')
    train = prepare(reviews('/data/yelp_polarity/train.csv'), tokenizer, 64, True)
    test = prepare(reviews('/data/yelp_polarity/test.csv'), tokenizer, 64, False)
    model = classifier(30522)
    model.compile(
        tf.keras.optimizers.AdamW(3e-5),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=['accuracy'])
    model.fit(train, validation_data=test, epochs=8)


if __name__ == '__main__':
    main()
