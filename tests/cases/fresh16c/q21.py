import csv
import time
from dataclasses import dataclass

import tensorflow as tf

COLUMNS = [f"V{i}" for i in range(1, 29)] + ["Amount"]


@dataclass(frozen=True)
class ScoreJob:
    source: str = "/var/spool/fraud/transactions.csv"
    target: str = "/var/spool/fraud/scores.csv"
    model_dir: str = "/srv/models/fraud/7"
    chunk: int = 1
    cutoff: float = 0.8


class Scorer:
    def __init__(self, job):
        self.job = job
        self.model = tf.keras.models.load_model(job.model_dir + "/model.keras")
        self.infer = tf.function(lambda x: self.model(x, training=False), reduce_retracing=True)

    def rows(self):
        ds = tf.data.TextLineDataset(self.job.source).skip(1)
        ds = ds.batch(self.job.chunk)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    @staticmethod
    def parse(lines):
        fields = tf.io.decode_csv(lines, [[""]] + [[0.0]] * len(COLUMNS))
        return fields[0], tf.stack(fields[1:], axis=1)

    def run(self):
        flagged = 0
        started = time.perf_counter()
        with open(self.job.target, "w", newline="") as f:
            writer = csv.writer(f)
            writer.writerow(["id", "score"])
            for ids, x in self.rows():
                score = float(self.infer(x)[0, 0])
                flagged += score > self.job.cutoff
                writer.writerow([ids[0].numpy().decode(), f"{score:.5f}"])
        print(f"{flagged} flagged in {time.perf_counter() - started:.1f}s")


if __name__ == "__main__":
    Scorer(ScoreJob()).run()
