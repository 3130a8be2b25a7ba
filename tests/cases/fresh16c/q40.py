import argparse
import io
import pathlib

import numpy as np
import soundfile as sf
import tensorflow as tf

CODECS = {"clean": None, "gsm": 8, "mulaw": 255, "lowbit": 15}


def quantise(wave, levels):
    if levels is None:
        return wave
    y = np.sign(wave) * np.log1p(levels * np.abs(wave)) / np.log1p(levels)
    return (np.round((y + 1) / 2 * levels) / levels * 2 - 1).astype(np.float32)


class DegradationBench:
    """Scores a speech enhancement model on each of the codecs."""

    def __init__(self, folder, batch_size):
        self.paths = sorted(str(p) for p in pathlib.Path(folder).glob("*.flac"))
        self.batch_size = batch_size
        self.sets = {}

    def prepare(self):
        for codec, levels in CODECS.items():
            def degrade(raw):
                wave, _ = sf.read(io.BytesIO(raw), dtype="float32", frames=48_000, fill_value=0.0)
                return quantise(wave, CODECS[codec]), wave

            def load(path):
                noisy, clean = tf.numpy_function(degrade, [tf.io.read_file(path)], (tf.float32, tf.float32))
                noisy.set_shape([48_000])
                clean.set_shape([48_000])
                return noisy[:, None], clean[:, None]

            ds = tf.data.Dataset.from_tensor_slices(self.paths)
            ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
            self.sets[codec] = ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)
        return self

    def score(self, model):
        return {name: model.evaluate(ds, return_dict=True, verbose=0) for name, ds in self.sets.items()}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("folder")
    ap.add_argument("--model", default="enhancer.keras")
    ap.add_argument("--batch-size", type=int, default=16)
    args = ap.parse_args()

    model = tf.keras.models.load_model(args.model)
    bench = DegradationBench(args.folder, args.batch_size).prepare()
    for name, result in bench.score(model).items():
        print(f"{name:8s} loss={result['loss']:.4f}")


if __name__ == "__main__":
    main()
