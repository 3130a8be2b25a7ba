"""`prepare` converts the corpus once, `train` reads the shards."""
import pathlib
import sys

import librosa
import numpy as np
import tensorflow as tf

SHARDS, SR = 64, 16000


def _features(corpus):
    for wav in sorted(pathlib.Path(corpus).rglob("*.flac")):
        y, _ = librosa.load(wav, sr=SR)
        mfcc = librosa.feature.mfcc(y=y, sr=SR, n_mfcc=40).T.astype(np.float32)
        yield mfcc[:400], int(wav.parent.name)


def prepare(corpus, out):
    names = [f"{out}/speakers-{i:03d}.tfrecord" for i in range(SHARDS)]
    writers = [tf.io.TFRecordWriter(n) for n in names]
    for n, (mfcc, speaker) in enumerate(_features(corpus)):
        mfcc = np.pad(mfcc, ((0, 400 - len(mfcc)), (0, 0)))
        example = tf.train.Example(features=tf.train.Features(feature={
            "mfcc": tf.train.Feature(float_list=tf.train.FloatList(value=mfcc.ravel())),
            "speaker": tf.train.Feature(int64_list=tf.train.Int64List(value=[speaker])),
        }))
        writers[n % SHARDS].write(example.SerializeToString())
    for w in writers:
        w.close()


def _parse(batch):
    ex = tf.io.parse_example(batch, {
        "mfcc": tf.io.FixedLenFeature([400, 40], tf.float32),
        "speaker": tf.io.FixedLenFeature([], tf.int64)})
    return ex["mfcc"], ex["speaker"]


def train(out):
    ds = tf.data.Dataset.list_files(f"{out}/speakers-*.tfrecord")
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(20_000).batch(256)
    ds = ds.map(_parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    model = tf.keras.Sequential([
        tf.keras.Input((400, 40)),
        tf.keras.layers.Conv1D(512, 5, dilation_rate=1, activation="relu"),
        tf.keras.layers.Conv1D(512, 3, dilation_rate=2, activation="relu"),
        tf.keras.layers.Conv1D(1500, 1, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(7205),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(ds, epochs=40)
    model.save("speakers.keras")


if __name__ == "__main__":
    {"prepare": prepare, "train": train}[sys.argv[1]](*sys.argv[2:])
