import sys
from collections import defaultdict

import tensorflow as tf
from tqdm import tqdm


def get_class(record):
    return tf.io.parse_single_example(record, {"label": tf.io.FixedLenFeature([], tf.int64)})["label"]


numbers, places, count = [], defaultdict(list), 0
for batch in tf.data.TFRecordDataset(sys.argv[1:]).map(get_class, 4).batch(1 << 10):
    with tqdm(leave=False) as bar:
        for label in batch:
            numbers.append(label.numpy())
            places[label.numpy()].append(count)
            count += 1
        bar.update(batch.shape[0])
print(count)
