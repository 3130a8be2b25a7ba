import pathlib
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class Exporter:
    out: pathlib.Path
    compression: str = "GZIP"

    def convert(self, clip: pathlib.Path):
        frames = np.load(clip)
        feature = {
            "frames": tf.train.Feature(bytes_list=tf.train.BytesList(value=[tf.io.serialize_tensor(frames).numpy()])),
            "count": tf.train.Feature(int64_list=tf.train.Int64List(value=[len(frames)])),
        }
        record = tf.train.Example(features=tf.train.Features(feature=feature))
        target = self.out / f"{clip.stem}.tfrecord"
        with tf.io.TFRecordWriter(str(target), self.compression) as w:
            w.write(record.SerializeToString())
        return target

    def run(self, clips):
        with ProcessPoolExecutor(8) as pool:
            return list(pool.map(self.convert, clips))


if __name__ == "__main__":
    done = Exporter(pathlib.Path("records")).run(sorted(pathlib.Path("clips").glob("*.npy")))
    print(len(done), "files")
