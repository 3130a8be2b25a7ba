"""Train a PyTorch CRNN for keyword spotting from tf.data (we keep the TF reader for GCS)."""
import os

import tensorflow as tf
import torch
import torch.nn as nn
import yaml

CONFIG = yaml.safe_load("""
reader:
  shards: gs://kws-corpus/v3/train-*.tfrecord
  parallel: 12
  batch: 128
audio:
  rate: 16000
  frame: 400
  hop: 160
  mels: 64
optim:
  lr: 0.0005
  epochs: 40
""")

tf.config.set_visible_devices([], "GPU")


class DatasetBuilder:
    def __init__(self, conf):
        self.reader, self.audio = conf["reader"], conf["audio"]
        self._ds = None

    def source(self):
        files = tf.data.Dataset.list_files(self.reader["shards"])
        self._ds = files.interleave(tf.data.TFRecordDataset, cycle_length=self.reader["parallel"],
                                    num_parallel_calls=self.reader["parallel"])
        return self

    def shuffled(self, n):
        self._ds = self._ds.shuffle(n)
        return self

    def features(self):
        a = self.audio
        mel = tf.signal.linear_to_mel_weight_matrix(a["mels"], 257, a["rate"])

        def fn(rec):
            ex = tf.io.parse_single_example(rec, {
                "wav": tf.io.FixedLenFeature([], tf.string),
                "kw": tf.io.FixedLenFeature([], tf.int64)})
            wav, _ = tf.audio.decode_wav(ex["wav"], desired_channels=1)
            spec = tf.abs(tf.signal.stft(wav[:, 0], a["frame"], a["hop"], 512))
            return tf.math.log(spec @ mel + 1e-6), ex["kw"]

        self._ds = self._ds.map(fn, num_parallel_calls=self.reader["parallel"])
        return self

    def batched(self):
        self._ds = self._ds.padded_batch(self.reader["batch"])
        return self

    def build(self):
        opt = tf.data.Options()
        opt.autotune.enabled = False  # shared box: fixed thread counts only
        opt.threading.private_threadpool_size = self.reader["parallel"]
        return self._ds.with_options(opt)


class CRNN(nn.Module):
    def __init__(self, mels, classes=35):
        super().__init__()
        self.conv = nn.Conv1d(mels, 128, 5, padding=2)
        self.rnn = nn.GRU(128, 128, num_layers=2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(256, classes)

    def forward(self, x):
        h = torch.relu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        return self.out(self.rnn(h)[0].mean(1))


def main():
    device = torch.device("cuda")
    net = CRNN(CONFIG["audio"]["mels"]).to(device)
    opt = torch.optim.AdamW(net.parameters(), lr=CONFIG["optim"]["lr"])
    ce = nn.CrossEntropyLoss()
    train_ds = DatasetBuilder(CONFIG).source().shuffled(20000).features().batched().build()
    for epoch in range(CONFIG["optim"]["epochs"]):
        for feats, kw in train_ds.as_numpy_iterator():
            x, y = torch.from_numpy(feats).to(device), torch.from_numpy(kw).to(device)
            opt.zero_grad(set_to_none=True)
            loss = ce(net(x), y)
            loss.backward()
            opt.step()
        torch.save(net.state_dict(), os.path.join("ckpt", f"crnn_{epoch:03d}.pt"))


if __name__ == "__main__":
    main()
