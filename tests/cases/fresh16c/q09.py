"""Batch moderation of forum comments."""
import json
import sys

import tensorflow as tf

LABELS = ["ok", "spam", "abuse", "off_topic"]
BATCH = 256


def comments(path):
    ds = tf.data.TextLineDataset(path, buffer_size=1 << 20)
    ds = ds.batch(BATCH)
    ds = ds.map(split_line, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def split_line(lines):
    ids, texts = tf.io.decode_csv(lines, [[""], [""]], field_delim="\t", use_quote_delim=False)
    return ids, texts


def load():
    model = tf.keras.models.load_model("moderator.keras")

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def classify(texts):
        probs = model(texts, training=False)
        return tf.argmax(probs, axis=-1), tf.reduce_max(probs, axis=-1)

    return classify


def main(source, target):
    classify = load()
    counts = dict.fromkeys(LABELS, 0)
    with open(target, "w") as out:
        for ids, texts in comments(source):
            which, confidence = classify(texts)
            for i, k, p in zip(ids.numpy(), which.numpy(), confidence.numpy()):
                counts[LABELS[k]] += 1
                out.write(json.dumps({"id": i.decode(), "label": LABELS[k], "p": round(float(p), 4)}) + "\n")
    print(counts)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
