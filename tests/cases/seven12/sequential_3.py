import numpy as np
import tensorflow as tf


class FeatureExtractor:
    def transform(self, ds):
        return ds.map(self.features, num_parallel_calls=tf.data.AUTOTUNE)

    def features(self, path):
        raise NotImplementedError

    def __call__(self, paths, batch_size=64):
        ds = tf.data.Dataset.from_tensor_slices(paths)
        ds = self.transform(ds)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


class MelExtractor(FeatureExtractor):
    def __init__(self, n_mels=80):
        self.mel = tf.signal.linear_to_mel_weight_matrix(n_mels, 257, 16000)

    def features(self, path):
        audio, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, 80000)
        spec = tf.abs(tf.signal.stft(audio[:, 0], 400, 160, 512))
        return tf.math.log(tf.matmul(spec, self.mel) + 1e-6)

    def transform(self, ds):
        return ds.map(lambda p: (self.features(p), p))


def main():
    paths = sorted(tf.io.gfile.glob("/data/librispeech/train-clean-360/*/*.wav"))
    encoder = tf.keras.models.load_model("/models/wav_encoder.keras")
    rows = []
    for step, (mels, names) in enumerate(MelExtractor()(paths)):
        with tf.profiler.experimental.Trace("embed", step_num=step, _r=1):
            rows.append(encoder.predict_on_batch(mels))
    np.save("/data/librispeech/embeddings.npy", np.concatenate(rows))


if __name__ == "__main__":
    main()
