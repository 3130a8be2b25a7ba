"""Gene expression classifier (wide MLP)."""
import argparse

import h5py
import tensorflow as tf
from tensorflow.keras import layers as L


def mlp(n_genes, n_types, widths, dropout):
    stack = [tf.keras.Input((n_genes,))]
    for w in widths:
        stack += [
            L.Dense(w, kernel_initializer="he_normal"),
            L.BatchNormalization(),
            L.Activation("relu"),
            L.Dropout(dropout),
        ]
    stack.append(L.Dense(n_types))
    return tf.keras.Sequential(stack)


def cells(path, batch, training):
    with h5py.File(path, "r") as f:
        x, y = f["log_counts"][:], f["cell_type"][:]
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.shuffle(len(y))
    ds = ds.batch(batch, drop_remainder=training, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE), x.shape[1], int(y.max()) + 1


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--folder", default="/data/atlas")
    p.add_argument("--widths", type=int, nargs="+", default=[1024, 512, 256])
    p.add_argument("--dropout", type=float, default=0.2)
    p.add_argument("--epochs", type=int, default=40)
    a = p.parse_args()
    train, n_genes, n_types = cells(f"{a.folder}/train.h5", 512, True)
    val, _, _ = cells(f"{a.folder}/val.h5", 512, False)
    model = mlp(n_genes, n_types, a.widths, a.dropout)
    model.compile(tf.keras.optimizers.AdamW(1e-3, weight_decay=1e-4),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(train, validation_data=val, epochs=a.epochs,
              callbacks=[tf.keras.callbacks.ReduceLROnPlateau(patience=3)])


if __name__ == "__main__":
    main()
