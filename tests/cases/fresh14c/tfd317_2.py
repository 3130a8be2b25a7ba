import argparse
import json
import os

import tensorflow as tf

SCHEMA = {
    "pcm": tf.io.FixedLenFeature([16000], tf.float32),
    "speaker": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    return tf.io.parse_single_example(record, SCHEMA)


def featurise(example):
    stft = tf.signal.stft(example["pcm"], 640, 160, fft_length=1024)
    mel = tf.signal.linear_to_mel_weight_matrix(80, 513, 16000, 60.0, 7600.0)
    return tf.math.log(tf.matmul(tf.abs(stft), mel) + 1e-5), example["speaker"]


STEPS = [
    ("map", dict(map_func=parse, num_parallel_calls=tf.data.AUTOTUNE)),
    ("map", dict(map_func=featurise, num_parallel_calls=tf.data.AUTOTUNE)),
    ("batch", dict(batch_size=64, drop_remainder=True)),
]


class Trainer:
    def __init__(self, args):
        self.args = args
        self.state_file = os.path.join(args.job_dir, "state.json")
        self.done = 0
        self.model = tf.keras.Sequential(
            [
                tf.keras.Input([97, 80]),
                tf.keras.layers.Conv1D(128, 5, activation="relu"),
                tf.keras.layers.GlobalAveragePooling1D(),
                tf.keras.layers.Dense(args.speakers),
            ]
        )
        self.optimizer = tf.keras.optimizers.Adam()
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.checkpoint = tf.train.Checkpoint(model=self.model, optimizer=self.optimizer)

    def restore(self):
        if os.path.exists(self.state_file):
            with open(self.state_file) as handle:
                self.done = json.load(handle)["done"]
            self.checkpoint.read(os.path.join(self.args.job_dir, "ckpt"))

    def data(self):
        files = sorted(tf.io.gfile.glob(self.args.records))
        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files), seed=5)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=4)
        ds = ds.shuffle(5000, seed=6)
        for name, options in STEPS:
            ds = getattr(ds, name)(**options)
        if self.done:
            ds = ds.skip(self.done)
        return ds.prefetch(tf.data.AUTOTUNE)

    @tf.function
    def step(self, mels, speakers):
        with tf.GradientTape() as tape:
            loss = self.loss(speakers, self.model(mels, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def run(self):
        self.restore()
        for mels, speakers in self.data():
            self.step(mels, speakers)
            self.done += 1
            if self.done % 1000 == 0:
                self.checkpoint.write(os.path.join(self.args.job_dir, "ckpt"))
                with open(self.state_file, "w") as handle:
                    json.dump({"done": self.done}, handle)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", default="voices/*.tfrecord")
    parser.add_argument("--job-dir", default="/tmp/voices")
    parser.add_argument("--speakers", type=int, default=1251)
    Trainer(parser.parse_args()).run()
