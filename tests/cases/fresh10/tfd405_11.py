"""Brain tumour segmentation: random 3-D patches from NIfTI volumes."""
import glob

import nibabel as nib
import numpy as np
import tensorflow as tf

PATCH = 64


class PatchSampler:
    def __init__(self, cases, seed=0):
        self.cases = cases
        self.rng = np.random.default_rng(seed)

    def _crop(self, vol, seg):
        z, y, x = (self.rng.integers(0, s - PATCH) for s in seg.shape)
        sl = np.s_[z:z + PATCH, y:y + PATCH, x:x + PATCH]
        return vol[sl][..., None], seg[sl][..., None]

    def stream(self):
        while True:
            case = self.cases[self.rng.integers(len(self.cases))]
            vol = nib.load(case).get_fdata(dtype=np.float32)
            seg = (nib.load(case.replace("flair", "seg")).get_fdata() > 0)
            vol = (vol - vol.mean()) / (vol.std() + 1e-6)
            for _ in range(8):
                yield self._crop(vol, seg.astype(np.float32))

    def as_dataset(self, batch):
        spec = tf.TensorSpec((PATCH, PATCH, PATCH, 1), tf.float32)
        ds = tf.data.Dataset.from_generator(self.stream, output_signature=(spec, spec))
        return ds.shuffle(64).batch(batch).prefetch(tf.data.AUTOTUNE)


class Trainer:
    def __init__(self, model, epochs):
        self.model = model
        self.fit_args = {"epochs": epochs, "verbose": 2}

    def train(self, sampler):
        self.model.compile("adam", "binary_crossentropy")
        ckpt = tf.keras.callbacks.ModelCheckpoint("unet3d.keras", monitor="loss",
                                                  save_best_only=True)
        return self.model.fit(sampler.as_dataset(2), callbacks=[ckpt], **self.fit_args)


def unet3d():
    i = tf.keras.Input((PATCH, PATCH, PATCH, 1))
    a = tf.keras.layers.Conv3D(16, 3, padding="same", activation="relu")(i)
    b = tf.keras.layers.MaxPool3D()(a)
    b = tf.keras.layers.Conv3D(32, 3, padding="same", activation="relu")(b)
    c = tf.keras.layers.Concatenate()([tf.keras.layers.UpSampling3D()(b), a])
    c = tf.keras.layers.Conv3D(16, 3, padding="same", activation="relu")(c)
    return tf.keras.Model(i, tf.keras.layers.Conv3D(1, 1, activation="sigmoid")(c))


if __name__ == "__main__":
    cases = sorted(glob.glob("/data/brats/*/*_flair.nii.gz"))
    Trainer(unet3d(), epochs=100).train(PatchSampler(cases))
