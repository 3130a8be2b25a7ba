"""DeepSEA in PyTorch; the input side is tf.data over fixed-length records."""
import numpy as np
import tensorflow as tf
import torch
from torch import nn

SEQ = 1000
LABELS = 919
RECORD = SEQ + LABELS


class one_hot_dna:  # noqa: N801
    """Callable transformation: int8 codes -> 4 channels."""

    def __init__(self, depth=4):
        self.depth = depth

    def __call__(self, codes, labels):
        x = tf.one_hot(tf.cast(codes, tf.int32), self.depth)
        return x, tf.cast(labels, tf.float32)


def split_record(raw):
    v = tf.io.decode_raw(raw, tf.int8)
    v = tf.reshape(v, [RECORD])
    return v[:SEQ], v[SEQ:]


def stages(batch_size):
    yield lambda ds: ds.shuffle(200_000)
    yield lambda ds: ds.map(one_hot_dna(), tf.data.AUTOTUNE)
    yield lambda ds: ds.batch(batch_size, drop_remainder=True)
    yield lambda ds: ds.prefetch(tf.data.AUTOTUNE)


def loader(files, batch_size):
    ds = tf.data.FixedLengthRecordDataset(files, RECORD, num_parallel_reads=8)
    ds = ds.map(split_record, num_parallel_calls=tf.data.AUTOTUNE)
    for transform in stages(batch_size):
        ds = transform(ds)
    return ds


class DeepSEA(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(4, 320, 8), nn.ReLU(), nn.MaxPool1d(4), nn.Dropout(0.2),
            nn.Conv1d(320, 480, 8), nn.ReLU(), nn.MaxPool1d(4), nn.Dropout(0.2),
            nn.Conv1d(480, 960, 8), nn.ReLU(), nn.Dropout(0.5))
        self.fc = nn.Sequential(nn.Linear(960 * 53, 925), nn.ReLU(),
                                nn.Linear(925, LABELS))

    def forward(self, x):
        return self.fc(self.conv(x.transpose(1, 2)).flatten(1))


def main():
    files = ['/data/deepsea/train_%02d.bin' % i for i in range(44)]
    device = torch.device('cuda')
    net = DeepSEA().to(device)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    loss_fn = nn.BCEWithLogitsLoss()
    ds = loader(files, 512)
    for epoch in range(30):
        losses = []
        for x, y in ds.as_numpy_iterator():
            x = torch.from_numpy(x).to(device)
            y = torch.from_numpy(y).to(device)
            opt.zero_grad()
            loss = loss_fn(net(x), y)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print(epoch, np.mean(losses))
        torch.save(net.state_dict(), 'deepsea_%02d.pt' % epoch)


if __name__ == '__main__':
    main()
