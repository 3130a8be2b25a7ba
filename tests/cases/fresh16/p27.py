import json

import numpy as np
import tensorflow as tf

CANDIDATES = 200


def read_requests(path):
    spec = {
        "user": tf.io.FixedLenFeature([32], tf.float32),
        "items": tf.io.FixedLenFeature([CANDIDATES], tf.int64),
        "clicked": tf.io.FixedLenFeature([], tf.int64),
    }
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(path), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.batch(256).map(lambda b: tf.io.parse_example(b, spec),
                           num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def ndcg(scores, items, clicked):
    order = items[np.argsort(-scores)]
    place = np.flatnonzero(order == clicked)
    return 1.0 / np.log2(place[0] + 2.0) if len(place) else 0.0


def evaluate(ranker, requests):
    forward = tf.function(lambda user, items: ranker({"user": user, "items": items}))

    def rank(request):
        return forward(request["user"], request["items"]).numpy()

    values = []
    for request in requests:
        scores = rank(request)
        items = request["items"].numpy()
        clicked = request["clicked"].numpy()
        for row in range(len(scores)):
            values.append(ndcg(scores[row], items[row], clicked[row]))
    return values


def towers():
    user = tf.keras.Input((32,), name="user")
    items = tf.keras.Input((CANDIDATES,), dtype="int64", name="items")
    q = tf.keras.layers.Dense(48)(user)
    k = tf.keras.layers.Embedding(500_000, 48)(items)
    scores = tf.keras.layers.Dot(axes=(2, 1))([k, q])
    return tf.keras.Model({"user": user, "items": items}, scores)


if __name__ == "__main__":
    ranker = towers()
    ranker.load_weights("ranker.weights.h5")
    values = evaluate(ranker, read_requests("requests/2024-05-*.tfrecord"))
    with open("ndcg.json", "w") as fh:
        json.dump({"ndcg": float(np.mean(values)), "n": len(values)}, fh)
