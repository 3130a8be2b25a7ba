"""Music tagging (MTG-Jamendo) with selectable front ends; PyTorch consumes the batches."""
import librosa
import numpy as np
import tensorflow as tf
from tensorflow import numpy_function as npf
import torch
from torch import nn

tf.config.set_visible_devices([], "GPU")
SR = 16000
FRONTENDS = {}


def frontend(name):
    def add(cls):
        FRONTENDS[name] = cls
        return cls
    return add


@frontend("cqt")
class CQT:
    bins = 84

    def compute(self, wav):
        c = np.abs(librosa.cqt(wav, sr=SR, hop_length=512, n_bins=self.bins))
        return librosa.amplitude_to_db(c, ref=np.max).T.astype(np.float32)


@frontend("mel")
class Mel:
    bins = 96

    def compute(self, wav):
        m = librosa.feature.melspectrogram(y=wav, sr=SR, n_mels=self.bins, hop_length=256)
        return librosa.power_to_db(m, ref=np.max).T.astype(np.float32)


class JamendoLoader:
    def __init__(self, pattern, kind="mel", batch_size=64, seconds=10):
        self.front = FRONTENDS[kind]()
        self.pattern, self.batch_size, self.seconds = pattern, batch_size, seconds

    def _parse(self, rec):
        ex = tf.io.parse_single_example(rec, {
            "pcm": tf.io.FixedLenFeature([], tf.string),
            "tags": tf.io.FixedLenFeature([195], tf.float32)})
        wav = tf.cast(tf.io.decode_raw(ex["pcm"], tf.int16), tf.float32) / 32768.0
        return tf.image.random_crop(wav, [SR * self.seconds]), ex["tags"]

    def _features(self, wav, tags):
        feat = npf(self.front.compute, [wav], tf.float32)
        feat.set_shape([None, self.front.bins])
        return feat, tags

    def __iter__(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(1000).map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._features, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)
        for x, y in ds.as_numpy_iterator():
            yield torch.from_numpy(x), torch.from_numpy(y)


class Tagger(nn.Module):
    def __init__(self, bins, tags=195):
        super().__init__()
        self.rnn = nn.GRU(bins, 256, num_layers=2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(512, tags)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h.mean(1))


def main():
    loader = JamendoLoader("/data/jamendo/train-*.tfrecord", kind="cqt")
    net = Tagger(loader.front.bins).cuda()
    opt = torch.optim.AdamW(net.parameters(), 3e-4)
    for epoch in range(40):
        for x, y in loader:
            loss = nn.functional.binary_cross_entropy_with_logits(net(x.cuda()), y.cuda())
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item())
        torch.save(net.state_dict(), f"tagger_{epoch:02d}.pt")


if __name__ == "__main__":
    main()
