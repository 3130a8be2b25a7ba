from abc import ABC, abstractmethod

import tensorflow as tf
from transformers import AutoTokenizer


class TextPipeline(ABC):
    def __init__(self, files, batch_size=64, max_len=128):
        self.files = files
        self.batch_size = batch_size
        self.max_len = max_len

    @abstractmethod
    def encode(self, text, label):
        ...

    def split_row(self, row):
        label, text = tf.io.decode_csv(row, [[0], [""]], field_delim="\t", use_quote_delim=False)
        return text, label

    def build(self, training):
        ds = tf.data.Dataset.from_tensor_slices(self.files).interleave(
            tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE
        )
        if training:
            ds = ds.shuffle(100_000)
        return (
            ds.batch(self.batch_size, drop_remainder=training)
            .map(self.split_row, num_parallel_calls=tf.data.AUTOTUNE)
            .map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE)
        )


class HubTokenizerPipeline(TextPipeline):
    def __init__(self, *args, checkpoint="bert-base-cased", **kw):
        super().__init__(*args, **kw)
        self.tok = AutoTokenizer.from_pretrained(checkpoint)

    def _tokenize(self, texts):
        batch = [t.decode("utf-8") for t in texts.numpy()]
        enc = self.tok(batch, padding="max_length", truncation=True, max_length=self.max_len)
        return enc["input_ids"], enc["attention_mask"]

    def encode(self, text, label):
        ids, mask = tf.py_function(self._tokenize, inp=[text], Tout=(tf.int32, tf.int32))
        ids.set_shape([None, self.max_len])
        mask.set_shape([None, self.max_len])
        return {"ids": ids, "mask": mask}, label


def classifier(vocab, n_classes, max_len):
    ids = tf.keras.Input((max_len,), dtype="int32", name="ids")
    mask = tf.keras.Input((max_len,), dtype="int32", name="mask")
    x = tf.keras.layers.Embedding(vocab, 256)(ids)
    x = tf.keras.layers.Multiply()([x, tf.keras.layers.Reshape((max_len, 1))(mask)])
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model({"ids": ids, "mask": mask}, tf.keras.layers.Dense(n_classes)(x))


def main():
    pipe = HubTokenizerPipeline(tf.io.gfile.glob("/data/dbpedia/train-*.tsv"))
    model = classifier(pipe.tok.vocab_size, 14, pipe.max_len)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(pipe.build(training=True), epochs=4)


if __name__ == "__main__":
    main()
