import json
import pathlib

import tensorflow as tf

TAGS = ["O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC"]


class NerReader:
    feature_spec = {
        "tokens": tf.io.VarLenFeature(tf.int64),
        "tags": tf.io.VarLenFeature(tf.int64),
        "doc_id": tf.io.FixedLenFeature([], tf.string),
    }
    padding = ([None], [None])

    def __init__(self, folder):
        self.files = [str(p) for p in sorted(pathlib.Path(folder).glob("part-*.tfrecord"))]

    def parse(self, raw):
        ex = tf.io.parse_single_example(raw, self.feature_spec)
        tokens = tf.sparse.to_dense(ex["tokens"])
        tags = tf.sparse.to_dense(ex["tags"])
        return tokens, tags, ex["doc_id"]

    def batches(self, size):
        ds = tf.data.TFRecordDataset(self.files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.padded_batch(size, padded_shapes=self.padding)
        return ds.prefetch(tf.data.AUTOTUNE)


def entities(tokens, tags):
    found, current = [], []
    for tok, tag in zip(tokens, tags):
        name = TAGS[tag]
        if name.startswith("B-"):
            if current:
                found.append(current)
            current = [int(tok)]
        elif name.startswith("I-") and current:
            current.append(int(tok))
        elif current:
            found.append(current)
            current = []
    return found + ([current] if current else [])


def main():
    model = tf.keras.models.load_model("ner_bilstm.keras")
    out = {}
    for tokens, gold, doc_ids in NerReader("/data/ner/test").batches(64):
        pred = tf.argmax(model(tokens, training=False), axis=-1).numpy()
        for row, doc, p in zip(tokens.numpy(), doc_ids.numpy(), pred):
            out[doc.decode()] = entities(row, p)
    with open("entities.json", "w") as f:
        json.dump(out, f)


if __name__ == "__main__":
    main()
