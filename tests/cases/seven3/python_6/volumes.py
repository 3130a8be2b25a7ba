import h5py
import numpy as np
import tensorflow as tf


class PatchSampler:
    def __init__(self, filename, patch=64, per_case=32, seed=0):
        self.filename = filename
        self.patch = patch
        self.per_case = per_case
        self.rng = np.random.default_rng(seed)

    def patches(self):
        with h5py.File(self.filename, "r") as f:
            for case in f:
                scan, seg = f[case]["t1"], f[case]["seg"]
                for _ in range(self.per_case):
                    z, y, x = (self.rng.integers(0, n - self.patch) for n in scan.shape)
                    window = np.s_[z:z + self.patch, y:y + self.patch, x:x + self.patch]
                    yield {"scan": scan[window][..., None], "seg": seg[window][..., None]}

    @property
    def signature(self):
        shape = (self.patch,) * 3 + (1,)
        return {"scan": tf.TensorSpec(shape, tf.float32), "seg": tf.TensorSpec(shape, tf.uint8)}
