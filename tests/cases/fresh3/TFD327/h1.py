import contextlib
import json

import tensorflow as tf

SHARDS = 16


def to_example(entry):
    example = tf.train.Example()
    example.features.feature["text"].bytes_list.value.append(entry["text"].encode("utf-8"))
    example.features.feature["stars"].int64_list.value.append(int(entry["stars"]))
    return example.SerializeToString()


with contextlib.ExitStack() as stack:
    writers = [
        stack.enter_context(tf.io.TFRecordWriter(f"yelp/train-{i:05d}-of-{SHARDS:05d}.tfrecord"))
        for i in range(SHARDS)
    ]
    lines = stack.enter_context(open("yelp.jsonl", encoding="utf-8"))
    for number, line in enumerate(lines):
        writers[number % SHARDS].write(to_example(json.loads(line)))
