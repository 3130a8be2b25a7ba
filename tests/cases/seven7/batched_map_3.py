"""Frame-level phone classifier on precomputed fMLLR features (TIMIT + WSJ, ~30M frames)."""
import functools
import pathlib

import numpy as np
import tensorflow as tf
import torch
from torch import nn

tf.config.set_visible_devices([], "GPU")


class Stats:
    def __init__(self, path):
        z = np.load(path)
        self.mean = z["mean"].astype(np.float32)
        self.std = z["std"].astype(np.float32)

    def standardize(self, feats, phone, clip):
        z = (feats - self.mean) / self.std
        return tf.clip_by_value(z, -clip, clip), tf.cast(phone, tf.int64)


class FrameBank:
    """Frames are dumped as one big npy pair per speaker group."""

    def __init__(self, root, stats, clip=5.0):
        self.groups = sorted(pathlib.Path(root).glob("grp_*"))
        self.transform = functools.partial(stats.standardize, clip=clip)

    def _group(self, g):
        x = np.load(g / "fmllr.npy")
        y = np.load(g / "phone.npy")
        return tf.data.Dataset.from_tensor_slices((x, y))

    def frames(self):
        parts = [self._group(g) for g in self.groups]
        ds = tf.data.Dataset.sample_from_datasets(parts, seed=3)
        return ds.shuffle(500_000)

    def loader(self, batch, device):
        ds = self.frames()
        ds = ds.map(self.transform, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(batch, drop_remainder=True, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.prefetch(tf.data.AUTOTUNE)
        for x, y in ds.as_numpy_iterator():
            yield (torch.from_numpy(x).to(device, non_blocking=True),
                   torch.from_numpy(y).to(device, non_blocking=True))


class PhoneNet(nn.Module):
    def __init__(self, dim, phones=144, width=1024):
        super().__init__()
        layers, d = [], dim
        for _ in range(5):
            layers += [nn.Linear(d, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.15)]
            d = width
        self.net = nn.Sequential(*layers, nn.Linear(d, phones))

    def forward(self, x):
        return self.net(x)


def run(root="/corpora/fmllr", batch=4096, epochs=24):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    bank = FrameBank(root, Stats(f"{root}/cmvn.npz"))
    net = PhoneNet(dim=440).to(device)
    opt = torch.optim.SGD(net.parameters(), lr=0.08, momentum=0.9)
    for epoch in range(epochs):
        total = 0.0
        for n, (x, y) in enumerate(bank.loader(batch, device), 1):
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / n:.4f}")


if __name__ == "__main__":
    run()
