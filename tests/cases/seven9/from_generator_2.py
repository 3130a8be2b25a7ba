"""Brain tumour segmentation (BraTS) - nibabel through tf.py_function."""
import argparse
import pathlib

import nibabel as nib
import numpy as np
import tensorflow as tf

MODALITIES = ('flair', 't1', 't1ce', 't2')
CROP = 128


def _load_case(case_dir):
    case = pathlib.Path(case_dir.numpy().decode())
    vols = []
    for m in MODALITIES:
        v = nib.load(str(case / f'{case.name}_{m}.nii.gz')).get_fdata()
        mask = v > 0
        vols.append((v - v[mask].mean()) / (v[mask].std() + 1e-6))
    seg = nib.load(str(case / f'{case.name}_seg.nii.gz')).get_fdata()
    seg[seg == 4] = 3
    return (np.stack(vols, -1).astype(np.float32), seg.astype(np.int32))


def load_case(case_dir):
    x, y = tf.py_function(_load_case, [case_dir], [tf.float32, tf.int32])
    x.set_shape([240, 240, 155, 4])
    y.set_shape([240, 240, 155])
    return x, y


def crop(x, y):
    joined = tf.concat([x, tf.cast(y, tf.float32)[..., None]], -1)
    joined = tf.image.random_crop(joined, [CROP, CROP, CROP, 5])
    return joined[..., :4], tf.cast(joined[..., 4], tf.int32)


def get_dataset(root, batch_size):
    cases = [str(p) for p in pathlib.Path(root).iterdir() if p.is_dir()]
    ds = tf.data.Dataset.from_tensor_slices(cases).shuffle(len(cases))
    ds = ds.map(load_case, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(crop, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.repeat().batch(batch_size).prefetch(tf.data.AUTOTUNE)


def vnet():
    L = tf.keras.layers
    inp = L.Input((CROP, CROP, CROP, 4))
    x1 = L.Conv3D(16, 5, padding='same', activation='relu')(inp)
    x2 = L.Conv3D(32, 3, strides=2, padding='same', activation='relu')(x1)
    x3 = L.Conv3D(64, 3, strides=2, padding='same', activation='relu')(x2)
    u2 = L.Conv3DTranspose(32, 2, strides=2, activation='relu')(x3)
    u1 = L.Conv3DTranspose(16, 2, strides=2, activation='relu')(
        L.Concatenate()([u2, x2]))
    out = L.Conv3D(4, 1)(L.Concatenate()([u1, x1]))
    return tf.keras.Model(inp, out)


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--root', default='/data/BraTS2021_Training_Data')
    p.add_argument('--batch-size', type=int, default=2)
    p.add_argument('--epochs', type=int, default=300)
    args = p.parse_args()
    model = vnet()
    model.compile(tf.keras.optimizers.Adam(1e-4),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(get_dataset(args.root, args.batch_size), epochs=args.epochs,
              steps_per_epoch=600)


if __name__ == '__main__':
    main()
