import dataclasses
import json
import os

import tensorflow as tf


@dataclasses.dataclass
class Cluster:
    workers: int = 1
    index: int = 0

    @classmethod
    def from_env(cls):
        conf = json.loads(os.environ.get("TF_CONFIG", "{}"))
        workers = conf.get("cluster", {}).get("worker", [""])
        return cls(len(workers), conf.get("task", {}).get("index", 0))


class VideoInput:
    SPEC = {"frames": tf.io.FixedLenSequenceFeature([], tf.string)}
    CONTEXT = {"label": tf.io.FixedLenFeature([], tf.int64)}

    def __init__(self, pattern, cluster, batch):
        self.pattern, self.cluster, self.batch = pattern, cluster, batch

    def decode(self, record):
        ctx, seq = tf.io.parse_single_sequence_example(record, self.CONTEXT, self.SPEC)
        frames = tf.map_fn(
            tf.io.decode_jpeg, seq["frames"][:16], fn_output_signature=tf.uint8)
        return tf.ensure_shape(frames, (16, 112, 112, 3)), ctx["label"]

    def read(self):
        files = tf.data.Dataset.list_files(self.pattern, seed=7)
        ds = files.flat_map(tf.data.TFRecordDataset)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        if self.cluster.workers > 1:
            ds = ds.shard(self.cluster.workers, self.cluster.index)
        ds = ds.shuffle(512).batch(self.batch, drop_remainder=True).prefetch(2)
        options = tf.data.Options()
        options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
        return ds.with_options(options)


def fit(model):
    model.fit(VideoInput("/nfs/kinetics/train-*", Cluster.from_env(), 8).read(), epochs=50)
