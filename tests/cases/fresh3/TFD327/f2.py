import json

import tensorflow as tf


class Converter:
    def __init__(self, prefix):
        self.prefix = prefix
        self.number = 0

    def __call__(self, entry):
        target = f"{self.prefix}/{self.number:07d}.tfrecord"
        self.number += 1
        example = tf.train.Example()
        example.features.feature["text"].bytes_list.value.append(entry["text"].encode("utf-8"))
        example.features.feature["stars"].int64_list.value.append(int(entry["stars"]))
        writer = tf.compat.v1.python_io.TFRecordWriter(target)
        try:
            writer.write(example.SerializeToString())
        finally:
            writer.close()
        return target


with open("yelp.jsonl", encoding="utf-8") as lines:
    written = list(map(Converter("yelp"), map(json.loads, lines)))
with open("yelp/index.txt", "w") as index:
    index.write("\n".join(written))
