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


def flatten(requests):
    return requests.unbatch().as_numpy_iterator()


def evaluate(ranker, requests):
    def rank(request):
        feed = {
            "user": request["user"].reshape(1, -1),
            "items": request["items"].reshape(1, -1),
        }
        return ranker.predict(feed, verbose=0)[0]

    return [ndcg(rank(r), r["items"], r["clicked"]) for r in flatten(requests)]


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
